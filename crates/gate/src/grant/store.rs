use super::file::GrantStore;
use super::key::Reach;
use super::{Grant, GrantId, GrantKey};
use crate::{Moment, Scope, shown};

/// Most grants of this process at once; past it the oldest goes.
const MOST: usize = 4096;

/// The grants of one gate: those of this process, and those in the store.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    held: Vec<Held>,
    pub(crate) store: Option<GrantStore>,
}

/// Both clocks of one moment: a grant of this process ends by the one, a kept one by the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) moment: Moment,
    pub(crate) wall_ms: i64,
}

#[derive(Debug)]
struct Held {
    id: GrantId,
    key: GrantKey,
    reach: Reach,
    expires: Moment,
}

impl Grants {
    /// Remembers an allow, when the scope holds the call.
    pub(crate) fn add(&mut self, id: GrantId, key: GrantKey, scope: &Scope, now: Now) {
        self.expire(now.moment);
        let Some(reach) = key.reach(scope) else { return };
        debug_assert!(
            key.covers(&key, &reach),
            "a grant covers the very call that made it"
        );
        let lasts = scope.lasts.min(Scope::LONGEST);
        if scope.is_kept
            && let Some(store) = &self.store
            && store.add(id, &key, &reach, now.wall_ms, lasts).is_ok()
        {
            return;
        }
        if self.held.len() >= MOST {
            self.held.remove(0);
        }
        self.held.push(Held {
            id,
            key,
            reach,
            expires: now.moment.after(lasts),
        });
    }

    /// The grant in force that covers a call with this key.
    pub(crate) fn covering(&mut self, key: &GrantKey, now: Now) -> Option<GrantId> {
        self.expire(now.moment);
        let held = self.held.iter().find(|held| held.key.covers(key, &held.reach));
        held.map(|held| held.id)
            // A store that cannot be read grants nothing.
            .or_else(|| self.store.as_ref()?.covering(key, now.wall_ms).ok().flatten())
    }

    pub(crate) fn list(&mut self, now: Now) -> Vec<Grant> {
        self.expire(now.moment);
        let mut grants: Vec<Grant> = self.held.iter().map(Held::show).collect();
        if let Some(store) = &self.store {
            grants.extend(store.in_force(now).unwrap_or_default());
        }
        grants
    }

    pub(crate) fn revoke(&mut self, id: GrantId) -> bool {
        let before = self.held.len();
        self.held.retain(|held| held.id != id);
        let in_store = self
            .store
            .as_ref()
            .is_some_and(|store| store.revoke(id).unwrap_or(false));
        self.held.len() < before || in_store
    }

    fn expire(&mut self, now: Moment) {
        self.held.retain(|held| now < held.expires);
    }
}

impl Held {
    fn show(&self) -> Grant {
        show(self.id, &self.key, &self.reach, self.expires, false)
    }
}

/// Longest place that is shown, in characters.
const LONGEST: usize = 500;

pub(super) fn show(id: GrantId, key: &GrantKey, reach: &Reach, expires: Moment, is_kept: bool) -> Grant {
    let shown = |place: &[u8]| shown::path(place, LONGEST);
    Grant {
        id,
        tool: key.tool.clone(),
        resources: key
            .resources
            .iter()
            .map(|resource| (resource.kind, shown(&resource.place)))
            .collect(),
        directory: reach.directory.as_deref().map(shown),
        session: key.session.clone().filter(|_| reach.this_session),
        user: key.user.clone(),
        policy: key.policy.clone(),
        expires,
        is_kept,
    }
}
