//! Grants that outlive a process, in a file of the user's own.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use portcullis_audit::OwnFile;
use portcullis_classify::{EffectKind, Layer};
use serde::{Deserialize, Serialize};

use super::key::{Asking, Reach, Resource};
use super::store::{Now, show};
use super::{Grant, GrantId, GrantKey};
use crate::clock::milliseconds;

/// A file with grants that were asked to survive a restart. Several gates share it; each looks anew whenever it would
/// ask, so that a grant that is taken back is gone at once.
#[derive(Debug, Clone)]
pub struct GrantStore {
    file: OwnFile,
}

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
}

/// Why the store cannot be used.
#[derive(Debug)]
pub struct GrantError(Why);

#[derive(Debug)]
enum Why {
    File(portcullis_audit::Error),
    Content,
    Full,
    Unwritable,
}

/// Longest wait for another process, in milliseconds.
const WAIT_MS: u64 = 2_000;
/// Most grants in the store.
const MOST: usize = 1000;
const VERSION: u64 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    grants: Vec<Kept>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    id: String,
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
    given_ms: i64,
    expires_ms: i64,
}

impl GrantStore {
    /// The store in this file; its directory must exist before something is kept.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            file: OwnFile::new(path, WAIT_MS),
        }
    }

    /// Everything in the store, ended or not.
    ///
    /// # Errors
    /// The file is not one that only its owner can write, or is not a store of this version.
    pub fn list(&self) -> Result<Vec<KeptGrant>, GrantError> {
        self.load()?
            .iter()
            .map(|kept| kept.told().ok_or(CONTENT))
            .collect()
    }

    /// Takes a grant back; false when there is none of that id.
    ///
    /// # Errors
    /// As [`GrantStore::list`]; or the file cannot be written.
    pub fn revoke(&self, id: GrantId) -> Result<bool, GrantError> {
        let id = id.to_string();
        Ok(self.retain(|kept| kept.id != id)? > 0)
    }

    /// Removes what has ended; says how many.
    ///
    /// # Errors
    /// As [`GrantStore::revoke`].
    pub fn prune(&self, now_ms: i64) -> Result<usize, GrantError> {
        self.retain(|kept| now_ms < kept.expires_ms)
    }

    pub(super) fn add(
        &self,
        id: GrantId,
        key: &GrantKey,
        reach: &Reach,
        now_ms: i64,
        lasts: Duration,
    ) -> Result<(), GrantError> {
        let lasts = i64::try_from(milliseconds(lasts)).unwrap_or(i64::MAX);
        // A place that is no text is not kept: it would read back as another one.
        let kept = Kept::of(id, key, reach, now_ms, now_ms.saturating_add(lasts))
            .ok_or(GrantError(Why::Unwritable))?;
        self.change(|grants| {
            grants.retain(|kept| now_ms < kept.expires_ms);
            if grants.len() >= MOST {
                return Err(GrantError(Why::Full));
            }
            grants.push(kept);
            Ok(())
        })
    }

    pub(super) fn covering(&self, key: &GrantKey, now_ms: i64) -> Result<Option<GrantId>, GrantError> {
        for kept in self.load()? {
            let Some((id, own, reach)) = kept.key() else {
                return Err(CONTENT);
            };
            if kept.is_in_force(now_ms) && own.covers(key, &reach) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    pub(super) fn in_force(&self, now: Now) -> Result<Vec<Grant>, GrantError> {
        let mut grants = Vec::new();
        for kept in self.load()? {
            let (id, key, reach) = kept.key().ok_or(CONTENT)?;
            if kept.is_in_force(now.wall_ms) {
                let left = u64::try_from(kept.expires_ms.saturating_sub(now.wall_ms)).unwrap_or_default();
                let expires = now.moment.after(Duration::from_millis(left));
                grants.push(show(id, &key, &reach, expires, true));
            }
        }
        Ok(grants)
    }

    fn load(&self) -> Result<Vec<Kept>, GrantError> {
        read(self.file.read().map_err(|error| GrantError(Why::File(error)))?)
    }

    fn retain(&self, keep: impl Fn(&Kept) -> bool) -> Result<usize, GrantError> {
        self.change(|grants| {
            let before = grants.len();
            grants.retain(keep);
            Ok(before - grants.len())
        })
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<Kept>) -> Result<T, GrantError>,
    ) -> Result<T, GrantError> {
        let changed = self.file.change(|bytes| {
            let mut grants = match read(bytes) {
                Ok(grants) => grants,
                Err(error) => return (None, Err(error)),
            };
            match change(&mut grants) {
                Ok(value) => (write(grants), Ok(value)),
                Err(error) => (None, Err(error)),
            }
        });
        changed.map_err(|error| GrantError(Why::File(error)))?
    }
}

const CONTENT: GrantError = GrantError(Why::Content);

fn read(bytes: Option<Vec<u8>>) -> Result<Vec<Kept>, GrantError> {
    let Some(bytes) = bytes else {
        return Ok(Vec::new());
    };
    let file: File = serde_json::from_slice(&bytes).map_err(|_| CONTENT)?;
    match file.version {
        VERSION => Ok(file.grants),
        _ => Err(CONTENT),
    }
}

fn write(grants: Vec<Kept>) -> Option<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(&File {
        version: VERSION,
        grants,
    })
    .ok()?;
    bytes.push(b'\n');
    Some(bytes)
}

impl Kept {
    fn of(id: GrantId, key: &GrantKey, reach: &Reach, given_ms: i64, expires_ms: i64) -> Option<Self> {
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

    /// A clock that was set back behind the moment of the yes lengthens nothing: until it is right again, nothing is
    /// granted.
    fn is_in_force(&self, now_ms: i64) -> bool {
        self.given_ms <= now_ms && now_ms < self.expires_ms
    }

    fn key(&self) -> Option<(GrantId, GrantKey, Reach)> {
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

    fn told(&self) -> Option<KeptGrant> {
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
        })
    }
}

impl GrantError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match &self.0 {
            Why::File(_) => {
                "it must be a regular file of mode 0600, owned by you; without it every call asks"
            }
            Why::Content => "move it away: without it every call asks",
            Why::Full => "run `portcullis grants prune`, or take some back",
            Why::Unwritable => "the grant holds in this process alone",
        }
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::File(error) => write!(f, "the store of grants cannot be used: {error}"),
            Why::Content => f.write_str("the store of grants is not one of this version"),
            Why::Full => f.write_str("the store of grants is full"),
            Why::Unwritable => f.write_str("a place that is not text cannot be kept"),
        }
    }
}

impl std::error::Error for GrantError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Why::File(error) => Some(error),
            Why::Content | Why::Full | Why::Unwritable => None,
        }
    }
}
