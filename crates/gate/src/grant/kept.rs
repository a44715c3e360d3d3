//! One grant of the store, as it is told and as it is written.

use std::collections::BTreeSet;

use portcullis_classify::{EffectKind, Layer};
use serde::{Deserialize, Serialize};

use super::key::{Asking, Reach, Resource};
use super::store::show;
use super::{Grant, GrantId, GrantKey};

/// A grant as it stands in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptGrant {
    /// What it grants; its expiry is meaningless here.
    pub grant: Grant,
    /// The rules that asked, as `layer rule`.
    pub rules: Vec<String>,
    /// When it was given, in milliseconds since the Unix epoch.
    pub given_ms: i64,
    /// When it ends.
    pub expires_ms: i64,
    /// The latest time that any gate saw which looked into the store.
    pub seen_ms: i64,
}

impl KeptGrant {
    /// Whether it lets calls run at this time, by the clock of the wall.
    #[must_use]
    pub fn is_in_force(&self, now_ms: i64) -> bool {
        let seen = Seen {
            latest_ms: self.seen_ms,
        };
        seen.has_come(self.given_ms, now_ms) && !seen.is_over(self.expires_ms, now_ms)
    }

    /// Whether it has ended for good, whatever the clock shows later.
    #[must_use]
    pub fn has_ended(&self, now_ms: i64) -> bool {
        let seen = Seen {
            latest_ms: self.seen_ms,
        };
        seen.is_over(self.expires_ms, now_ms)
    }
}

/// The latest time that any gate saw. A clock that was set back behind it lengthens nothing: until it has caught up,
/// nothing is granted, and what had ended stays ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) latest_ms: i64,
}

impl Seen {
    pub(super) fn has_come(self, given_ms: i64, now_ms: i64) -> bool {
        given_ms <= now_ms && self.latest_ms <= now_ms
    }

    pub(super) fn is_over(self, expires_ms: i64, now_ms: i64) -> bool {
        expires_ms <= now_ms.max(self.latest_ms)
    }
}

/// As it is written.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    pub(super) id: String,
    tool: String,
    /// Kind, operation, place.
    resources: Vec<(String, String, String)>,
    directory: Option<String>,
    session: Option<String>,
    user: String,
    policy: String,
    common: String,
    /// Layer, rule, and what it says.
    rules: Vec<(String, String, String)>,
    pub(super) given_ms: i64,
    pub(super) expires_ms: i64,
}

impl Kept {
    pub(super) fn of(
        id: GrantId,
        key: &GrantKey,
        reach: &Reach,
        given_ms: i64,
        expires_ms: i64,
    ) -> Option<Self> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let resources: Option<Vec<_>> = key
            .resources
            .iter()
            .map(|found| {
                Some((
                    found.kind.word().to_owned(),
                    found.operation.clone(),
                    text(&found.place)?,
                ))
            })
            .collect();
        let directory = match &reach.directory {
            None => None,
            Some(directory) => Some(text(directory)?),
        };
        let rules = key.asking.iter();
        Some(Self {
            id: id.to_string(),
            tool: key.tool.clone(),
            resources: resources?,
            directory,
            session: key.session.clone().filter(|_| reach.this_session),
            user: key.user.clone(),
            policy: key.policy.clone(),
            common: key.common.clone(),
            rules: rules
                .map(|(layer, rule, says)| (layer.word().to_owned(), rule.clone(), says.clone()))
                .collect(),
            given_ms,
            expires_ms,
        })
    }

    pub(super) fn key(&self) -> Option<(GrantId, GrantKey, Reach)> {
        let resources: Option<BTreeSet<Resource>> = self
            .resources
            .iter()
            .map(|(kind, operation, place)| {
                Some(Resource {
                    kind: EffectKind::by_word(kind)?,
                    operation: operation.clone(),
                    place: place.clone().into_bytes(),
                })
            })
            .collect();
        let asking: Option<BTreeSet<Asking>> = self
            .rules
            .iter()
            .map(|(layer, rule, says)| {
                let layer = Layer::ALL.into_iter().find(|known| known.word() == layer)?;
                Some((layer, rule.clone(), says.clone()))
            })
            .collect();
        let key = GrantKey {
            tool: self.tool.clone(),
            resources: resources.filter(|found| !found.is_empty())?,
            user: self.user.clone(),
            policy: self.policy.clone(),
            common: self.common.clone(),
            asking: asking?,
            session: self.session.clone(),
            // Such a one is never kept.
            unbound: None,
        };
        let reach = Reach {
            directory: self.directory.clone().map(String::into_bytes),
            this_session: self.session.is_some(),
        };
        Some((GrantId::read(&self.id)?, key, reach))
    }

    pub(super) fn told(&self, seen_ms: i64) -> Option<KeptGrant> {
        let (id, key, reach) = self.key()?;
        Some(KeptGrant {
            grant: show(id, &key, &reach, crate::Moment(0), true),
            rules: self
                .rules
                .iter()
                .map(|(layer, rule, _)| format!("{layer} {rule}"))
                .collect(),
            given_ms: self.given_ms,
            expires_ms: self.expires_ms,
            seen_ms,
        })
    }
}
