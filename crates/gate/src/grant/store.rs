use std::time::Duration;

use super::{Grant, GrantId, GrantKey};
use crate::Moment;

/// Most grants in force at once; past it an allow-always is an allow-once.
const MOST: usize = 4096;

/// The grants of one gate, in memory.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    held: Vec<Held>,
    made: u64,
}

#[derive(Debug)]
struct Held {
    id: GrantId,
    key: GrantKey,
    expires: Moment,
}

impl Grants {
    /// Remembers an allow.
    pub(crate) fn add(&mut self, key: GrantKey, now: Moment, lasts: Duration) {
        self.expire(now);
        if self.held.len() >= MOST {
            return;
        }
        self.made += 1;
        self.held.push(Held {
            id: GrantId(self.made),
            key,
            expires: now.after(lasts),
        });
    }

    /// Whether a grant in force covers a call with this key.
    pub(crate) fn covers(&mut self, key: &GrantKey, now: Moment) -> bool {
        self.expire(now);
        self.held.iter().any(|held| held.key.covers(key))
    }

    pub(crate) fn list(&mut self, now: Moment) -> Vec<Grant> {
        self.expire(now);
        self.held.iter().map(Held::show).collect()
    }

    pub(crate) fn revoke(&mut self, id: GrantId) -> bool {
        let before = self.held.len();
        self.held.retain(|held| held.id != id);
        self.held.len() < before
    }

    fn expire(&mut self, now: Moment) {
        self.held.retain(|held| now < held.expires);
    }
}

impl Held {
    fn show(&self) -> Grant {
        Grant {
            id: self.id,
            tool: self.key.tool.clone(),
            resources: self
                .key
                .resources
                .iter()
                .map(|resource| (resource.kind, resource.place.to_string()))
                .collect(),
            user: self.key.user.clone(),
            policy: self.key.policy.clone(),
            expires: self.expires,
        }
    }
}
