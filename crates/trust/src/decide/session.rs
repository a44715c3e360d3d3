use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Fingerprint;

/// What people decided for one session of a host: held in memory, and gone with it. Without one, a choice for the session
/// holds for the one outcome that it was made for.
#[derive(Debug, Clone, Default)]
pub struct Session {
    decided: BTreeMap<PathBuf, Decided>,
}

#[derive(Debug, Clone)]
struct Decided {
    is_trusted: bool,
    /// What each profile held then. What could not be told then is equal to nothing.
    held: BTreeMap<String, Option<Fingerprint>>,
}

/// What a session knows about a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Trusted,
    Untrusted,
    /// It was trusted, and holds something else now.
    Changed,
}

impl Session {
    /// A session in which nothing is decided.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn keep(&mut self, root: &Path, is_trusted: bool, held: &[(&str, Option<Fingerprint>)]) {
        let held = held
            .iter()
            .map(|(profile, content)| ((*profile).to_owned(), content.clone()));
        let decided = Decided {
            is_trusted,
            held: held.collect(),
        };
        self.decided.insert(root.to_path_buf(), decided);
    }

    pub(super) fn forget(&mut self, root: &Path) {
        self.decided.remove(root);
    }

    pub(super) fn knows(&self, root: &Path, now: &[(&str, Option<Fingerprint>)]) -> Option<Known> {
        let decided = self.decided.get(root)?;
        if !decided.is_trusted {
            return Some(Known::Untrusted);
        }
        // Nothing is taken over that was not looked at when it was decided.
        let is_same = now.iter().all(|(profile, content)| {
            matches!((decided.held.get(*profile), content), (Some(Some(then)), Some(now)) if then == now)
        });
        Some(if is_same { Known::Trusted } else { Known::Changed })
    }
}
