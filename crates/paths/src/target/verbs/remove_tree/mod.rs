mod sweep;

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::SeekFrom;
use rustix::io::Errno;

use self::sweep::Found;
use super::check::{self, changed};
use super::remove::remove_one;
use super::{raw, sync};
use crate::target::observe::{facts_at, facts_of};
use crate::{Error, ErrorKind, Facts, FileKind, Leaf, Name, Operation, Target};

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
        self.judged_for(&[Operation::DeleteTree])?;
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
            walk.removed.files += 1;
        }
        sync::directory(&name.parent)?;
        Ok(walk.removed)
    }
}

/// How often a directory that fills again, or a name that changes its type, is looked at once more.
const PATIENCE: u32 = 8;

/// The walk holds the directory it is in and, while it goes up, the one above. A way back is proven by
/// identities, not held by descriptors.
struct Walk<'a> {
    name: &'a Name,
    top: &'a Facts,
    limits: &'a TreeLimits,
    removed: Removed,
}

/// A directory on the way from the top to where the walk is.
struct Level {
    /// Its name in the level above; the top's is in [`Walk::name`].
    leaf: Option<Leaf>,
    facts: Facts,
    /// Where reading its names goes on.
    cookie: u64,
    /// Something was removed since reading began at the first name.
    progress: bool,
    /// Disturbances, and sweeps that removed nothing although it was not empty.
    futile: u32,
}

/// How sweeping a directory ended.
enum End {
    Removed,
    /// It is not empty: names came, or reading left some out.
    Filled,
    /// Its name leads to something else now; wherever it is in the tree, another sweep finds it.
    Elsewhere(Error),
}

impl Level {
    fn new(leaf: Option<Leaf>, facts: Facts) -> Self {
        Self {
            leaf,
            facts,
            cookie: 0,
            progress: false,
            futile: 0,
        }
    }

    /// Somebody changed a name in it: patience, up to a point. Any other error ends the walk.
    fn disturbed(&mut self, error: Error) -> Result<(), Error> {
        self.futile += 1;
        if error.kind() == ErrorKind::Changed && self.futile <= PATIENCE {
            Ok(())
        } else {
            Err(error)
        }
    }

    /// It is to be swept from its first name again. As long as names are removed the limits bound that.
    fn swept_in_vain(&mut self) -> Result<(), Error> {
        self.futile = if self.progress { 0 } else { self.futile + 1 };
        self.progress = false;
        self.cookie = 0;
        if self.futile > PATIENCE {
            Err(changed())
        } else {
            Ok(())
        }
    }
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), Error> {
        let name = self.name;
        let mut here = self.enter(&name.parent, &name.leaf, self.top)?;
        let mut above: Vec<Level> = Vec::new();
        let mut level = Level::new(None, *self.top);
        self.check_depth(&above)?;
        loop {
            match self.sweep(&here, &mut level)? {
                Found::Dir(leaf, facts) => {
                    let child = match self.enter(&here, &leaf, &facts) {
                        Ok(child) => child,
                        Err(error) => {
                            level.disturbed(error)?;
                            continue;
                        }
                    };
                    above.push(level);
                    self.check_depth(&above)?;
                    level = Level::new(Some(leaf), facts);
                    here = child;
                }
                Found::Nothing => {
                    let parent = match above.last() {
                        Some(parent) => Some(self.go_up(&here, parent)?),
                        None => None,
                    };
                    let end = self.finish(&mut level, parent.as_ref())?;
                    if matches!(end, End::Filled) {
                        rewind(&here, 0)?;
                        continue;
                    }
                    let (Some(parent), Some(mut back)) = (parent, above.pop()) else {
                        return match end {
                            End::Removed => Ok(()),
                            End::Filled | End::Elsewhere(_) => Err(changed()),
                        };
                    };
                    match end {
                        End::Elsewhere(error) => back.disturbed(error)?,
                        End::Removed | End::Filled => back.progress = true,
                    }
                    rewind(&parent, back.cookie)?;
                    level = back;
                    here = parent;
                }
            }
        }
    }

    /// Opens a directory of the tree; `expected` is what was seen at its name.
    fn enter(&self, parent: impl AsFd, leaf: &Leaf, expected: &Facts) -> Result<OwnedFd, Error> {
        let dir = raw::open_dir_unchecked(parent, leaf.as_bytes()).map_err(check::raced)?;
        check::same_object(expected, &facts_of(&dir)?)?;
        Ok(dir)
    }

    /// Opens the directory above, which must be the one that the walk came from.
    fn go_up(&self, here: impl AsFd, expected: &Level) -> Result<OwnedFd, Error> {
        let parent = raw::open_above_unchecked(here).map_err(check::raced)?;
        check::same_object(&expected.facts, &facts_of(&parent)?)?;
        Ok(parent)
    }

    /// Removes the swept directory from the one above.
    fn finish(&mut self, level: &mut Level, parent: Option<&OwnedFd>) -> Result<End, Error> {
        let (parent, leaf) = match (parent, &level.leaf) {
            (Some(parent), Some(leaf)) => (parent, leaf),
            _ => (&self.name.parent, &self.name.leaf),
        };
        self.spend()?;
        if let Err(error) =
            check::present(parent, leaf).and_then(|now| check::same_object(&level.facts, &now))
        {
            return Ok(End::Elsewhere(error));
        }
        match raw::remove_dir_unchecked(parent, leaf.as_bytes()) {
            Ok(()) => {
                self.removed.dirs += 1;
                Ok(End::Removed)
            }
            Err(Errno::NOTEMPTY | Errno::EXIST) => {
                level.swept_in_vain()?;
                Ok(End::Filled)
            }
            Err(number) => Ok(End::Elsewhere(check::raced(number))),
        }
    }

    /// What is at a name of a directory in the tree; only a directory on the top's own mount is entered.
    fn look(&self, dir: impl AsFd, leaf: &Leaf) -> Result<Option<Facts>, Error> {
        let facts = match facts_at(dir, leaf) {
            Ok(facts) => facts,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let one_mount = facts.mount == self.top.mount && facts.identity.device == self.top.identity.device;
        if one_mount {
            Ok(Some(facts))
        } else {
            Err(Error::new(ErrorKind::Mount))
        }
    }

    /// Asks for room to remove one more name.
    fn spend(&self) -> Result<(), Error> {
        if self.removed.files.saturating_add(self.removed.dirs) < self.limits.names {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Budget))
        }
    }

    fn check_depth(&self, above: &[Level]) -> Result<(), Error> {
        match u32::try_from(above.len()) {
            Ok(depth) if depth < self.limits.depth => Ok(()),
            _ => Err(Error::new(ErrorKind::Budget)),
        }
    }
}

/// Goes on reading where the directory was left. A position that the file system no longer takes is the beginning.
fn rewind(dir: impl AsFd, cookie: u64) -> Result<(), Error> {
    let dir = dir.as_fd();
    match rustix::fs::seek(dir, SeekFrom::Start(cookie)) {
        Ok(_) => Ok(()),
        Err(_) => rustix::fs::seek(dir, SeekFrom::Start(0))
            .map(drop)
            .map_err(Error::os),
    }
}
