mod level;
mod sweep;
mod walk;

use self::walk::Walk;
use super::remove::remove_one;
use super::{check, sync};
use crate::{Error, FileKind, Operation, Target};

/// Bounds on removing a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// At most this many names are removed.
    pub names: u64,
    /// At most this many levels are entered, the directory itself being the first.
    pub depth: u32,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self {
            names: 1_000_000,
            depth: 10_000,
        }
    }
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Removed {
    /// Files, links and special files.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
}

impl Target {
    /// Removes the name and everything below it: links are not followed, mounts are not entered, depth does
    /// not cost stack or descriptors (three are open at most, and each level costs its name in memory).
    ///
    /// # Errors
    /// `Mount` when a mount point is met, `Budget` past the limits, `Changed` when somebody moves directories of
    /// the tree or keeps filling them, `NotFound`, `Denied`, `WrongOperation`, `Io`. What was removed before the
    /// error stays removed.
    pub fn remove_tree(self, limits: &TreeLimits) -> Result<Removed, Error> {
        self.may_change(&[Operation::DeleteTree])?;
        let (name, facts) = self.to_remove()?;
        check::name_stands(name, facts)?;
        let mut walk = Walk {
            name,
            top: facts,
            limits,
            removed: Removed::default(),
        };
        if facts.kind == FileKind::Dir {
            walk.run()?;
        } else {
            walk.spend()?;
            remove_one(name, facts)?;
            walk.removed.files = 1;
        }
        sync::directory(&name.parent)?;
        Ok(walk.removed)
    }
}
