//! Down and up through the tree.

use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;

use super::level::Level;
use super::sweep::Found;
use super::{Removed, TreeLimits};
use crate::target::observe::{facts_at, facts_of};
use crate::target::verbs::{check, raw};
use crate::{Error, ErrorKind, Facts, FileKind, Leaf, Name};

/// The walk holds the directory it is in and, while it goes up, the one above. The way back is proven by
/// identities, not held by descriptors.
pub(super) struct Walk<'a> {
    pub(super) name: &'a Name,
    pub(super) top: &'a Facts,
    pub(super) limits: &'a TreeLimits,
    pub(super) removed: Removed,
}

/// How going up from a swept directory ended.
enum Up {
    /// It is not empty: names came, or reading left some out.
    Filled,
    /// The walk is in the directory above.
    To(OwnedFd),
    /// The top itself is removed.
    Out,
}

impl Walk<'_> {
    pub(super) fn run(&mut self) -> Result<(), Error> {
        let mut above = Vec::new();
        let mut level = Level::new(self.name.leaf.clone(), *self.top);
        self.check_depth(&above)?;
        let mut here = enter(&self.name.parent, &level.leaf, self.top)?;
        loop {
            match self.sweep(&here, &mut level)? {
                Found::Dir(leaf, facts) => match enter(&here, &leaf, &facts) {
                    Ok(child) => {
                        above.push(std::mem::replace(&mut level, Level::new(leaf, facts)));
                        self.check_depth(&above)?;
                        here = child;
                    }
                    Err(error) => level.disturbed(error)?,
                },
                Found::Nothing => match self.go_up(&here, &mut level, &mut above)? {
                    Up::Filled => level.swept_in_vain()?,
                    Up::To(parent) => here = parent,
                    Up::Out => return Ok(()),
                },
            }
        }
    }

    /// Removes the swept directory and makes the level above the present one.
    fn go_up(&mut self, here: &OwnedFd, level: &mut Level, above: &mut Vec<Level>) -> Result<Up, Error> {
        let Some(mut back) = above.pop() else {
            return Ok(match self.remove_dir(&self.name.parent, level)? {
                true => Up::Out,
                false => Up::Filled,
            });
        };
        let parent = raw::open_above_unchecked(here).map_err(check::raced)?;
        check::same_object(&back.facts, &facts_of(&parent)?)?;
        match self.remove_dir(&parent, level) {
            Ok(true) => back.progress = true,
            Ok(false) => {
                above.push(back);
                return Ok(Up::Filled);
            }
            // Its name leads to something else now. Wherever it is in the tree, another sweep finds it.
            Err(error) => back.disturbed(error)?,
        }
        *level = back;
        Ok(Up::To(parent))
    }

    /// Removes the swept directory, unless it has filled again.
    fn remove_dir(&mut self, parent: &OwnedFd, level: &Level) -> Result<bool, Error> {
        self.spend()?;
        check::same_object(&level.facts, &check::present(parent, &level.leaf)?)?;
        // RACE: one system call wide, and then only an empty directory goes.
        match raw::remove_dir_unchecked(parent, level.leaf.as_bytes()) {
            Ok(()) => {
                self.removed.dirs = self.removed.dirs.saturating_add(1);
                Ok(true)
            }
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(number) => Err(check::raced(number)),
        }
    }

    /// What is at a name of a directory in the tree. A directory on another mount than the top's ends the walk.
    pub(super) fn look(&self, dir: impl AsFd, leaf: &Leaf) -> Result<Option<Facts>, Error> {
        let facts = match facts_at(dir, leaf) {
            Ok(facts) => facts,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let one_mount = facts.mount == self.top.mount && facts.identity.device == self.top.identity.device;
        // Files are not asked: overlays report their layers' devices, and the kernel refuses to unlink a mount.
        if one_mount || facts.kind != FileKind::Dir {
            Ok(Some(facts))
        } else {
            Err(Error::new(ErrorKind::Mount))
        }
    }

    /// Asks for room to remove one more name.
    pub(super) fn spend(&self) -> Result<(), Error> {
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

/// Opens a directory of the tree; `seen` is what was at its name.
fn enter(parent: impl AsFd, leaf: &Leaf, seen: &Facts) -> Result<OwnedFd, Error> {
    let dir = raw::open_dir_unchecked(parent, leaf.as_bytes()).map_err(check::raced)?;
    check::same_object(seen, &facts_of(&dir)?)?;
    Ok(dir)
}
