//! Grants that outlive a process, in a file of the user's own.

use std::path::PathBuf;
use std::time::Duration;

use portcullis_audit::OwnFile;
use serde::{Deserialize, Serialize};

use super::error::Why;
use super::kept::{Kept, KeptGrant, Seen};
use super::key::Reach;
use super::store::{Now, show};
use super::{Grant, GrantError, GrantId, GrantKey};
use crate::clock::milliseconds;

/// A file with grants that were asked to survive a restart. Several gates share it; each looks anew whenever it would
/// ask, so that a grant that is taken back is gone at once.
#[derive(Debug, Clone)]
pub struct GrantStore {
    file: OwnFile,
}

/// Longest wait for another process, in milliseconds.
const WAIT_MS: u64 = 2_000;
/// Most grants in the store.
const MOST: usize = 1000;
const VERSION: u64 = 3;
/// How much later it is when a look into the store is noted, in milliseconds.
const GRAIN_MS: i64 = 1000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    latest_ms: i64,
    grants: Vec<Kept>,
}

impl Default for File {
    fn default() -> Self {
        Self {
            version: VERSION,
            latest_ms: i64::MIN,
            grants: Vec::new(),
        }
    }
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
        let file = self.load()?;
        let told = file
            .grants
            .iter()
            .map(|kept| kept.told(file.latest_ms).ok_or(CONTENT));
        told.collect()
    }

    /// Takes a grant back; false when there is none of that id.
    ///
    /// # Errors
    /// As [`GrantStore::list`]; or the file cannot be written.
    pub fn revoke(&self, id: GrantId) -> Result<bool, GrantError> {
        let id = id.to_string();
        self.change(|file| {
            let before = file.grants.len();
            file.grants.retain(|kept| kept.id != id);
            Ok(file.grants.len() < before)
        })
    }

    /// Removes what has ended; says how many. A store with nothing left in it begins anew with the time that the clock
    /// shows now, whatever it showed before.
    ///
    /// # Errors
    /// As [`GrantStore::revoke`].
    pub fn prune(&self, now_ms: i64) -> Result<usize, GrantError> {
        self.change(|file| {
            let before = file.grants.len();
            file.expire(now_ms);
            if file.grants.is_empty() {
                file.latest_ms = now_ms;
            }
            Ok(before - file.grants.len())
        })
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
        self.change(|file| {
            if file.now(now_ms) < file.latest_ms {
                return Err(GrantError(Why::Behind));
            }
            file.expire(now_ms);
            if file.grants.len() >= MOST {
                return Err(GrantError(Why::Full));
            }
            file.grants.push(kept);
            file.latest_ms = file.now(now_ms);
            Ok(())
        })
    }

    pub(super) fn covering(&self, key: &GrantKey, now_ms: i64) -> Result<Option<GrantId>, GrantError> {
        let file = self.look(now_ms)?;
        let now_ms = file.now(now_ms);
        for kept in &file.grants {
            let Some((id, own, reach)) = kept.key() else {
                return Err(CONTENT);
            };
            if file.is_in_force(kept, now_ms) && own.covers(key, &reach) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    pub(super) fn in_force(&self, now: Now) -> Result<Vec<Grant>, GrantError> {
        let mut grants = Vec::new();
        let file = self.load()?;
        for kept in &file.grants {
            let (id, key, reach) = kept.key().ok_or(CONTENT)?;
            if file.is_in_force(kept, now.wall_ms) {
                let left = u64::try_from(kept.expires_ms.saturating_sub(now.wall_ms)).unwrap_or_default();
                let expires = now.moment.after(Duration::from_millis(left));
                grants.push(show(id, &key, &reach, expires, true));
            }
        }
        Ok(grants)
    }

    /// What is in the store. Before anything is taken from it, the time of the look is in it: a clock that is set back
    /// later does not bring back what this time has ended.
    fn look(&self, now_ms: i64) -> Result<File, GrantError> {
        let file = self.load()?;
        let since = now_ms.saturating_sub(file.latest_ms);
        if file.grants.is_empty() || since < GRAIN_MS {
            return Ok(file);
        }
        self.change(|file| {
            file.latest_ms = file.latest_ms.max(now_ms);
            Ok(())
        })?;
        self.load()
    }

    fn load(&self) -> Result<File, GrantError> {
        read(self.file.read().map_err(|error| GrantError(Why::File(error)))?)
    }

    fn change<T>(&self, change: impl FnOnce(&mut File) -> Result<T, GrantError>) -> Result<T, GrantError> {
        let changed = self.file.change(|bytes| {
            let mut file = match read(bytes) {
                Ok(file) => file,
                Err(error) => return (None, Err(error)),
            };
            match change(&mut file) {
                Ok(value) => (write(&file), Ok(value)),
                Err(error) => (None, Err(error)),
            }
        });
        changed.map_err(|error| GrantError(Why::File(error)))?
    }
}

impl File {
    fn seen(&self) -> Seen {
        Seen {
            latest_ms: self.latest_ms,
        }
    }

    /// The time that a look is made at. Another gate may have looked since the clock was read: that is no clock set back.
    fn now(&self, now_ms: i64) -> i64 {
        if self.latest_ms.saturating_sub(now_ms) < GRAIN_MS {
            now_ms.max(self.latest_ms)
        } else {
            now_ms
        }
    }

    fn is_in_force(&self, kept: &Kept, now_ms: i64) -> bool {
        let seen = self.seen();
        seen.has_come(kept.given_ms, now_ms) && !seen.is_over(kept.expires_ms, now_ms)
    }

    fn expire(&mut self, now_ms: i64) {
        let seen = self.seen();
        self.grants.retain(|kept| !seen.is_over(kept.expires_ms, now_ms));
    }
}

const CONTENT: GrantError = GrantError(Why::Content);

fn read(bytes: Option<Vec<u8>>) -> Result<File, GrantError> {
    let Some(bytes) = bytes else {
        return Ok(File::default());
    };
    let file: File = serde_json::from_slice(&bytes).map_err(|_| CONTENT)?;
    match file.version {
        VERSION => Ok(file),
        _ => Err(CONTENT),
    }
}

fn write(file: &File) -> Option<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(file).ok()?;
    bytes.push(b'\n');
    Some(bytes)
}
