use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, statat};
use rustix::io::Errno;

use super::{check, raw};
use crate::target::each_name;
use crate::{Error, FileKind, Operation, Target};

/// Directories below each other that are looked into: each is held while what is below it is looked at.
const DEEPEST: usize = 64;

/// What comes after a name that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to do with a name")]
pub enum LookOn {
    /// What is below it as well, when it is a directory.
    Into,
    /// What stands beside it.
    Over,
    /// Nothing more.
    Enough,
}

/// How far it was looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new way to end must break the build")]
pub enum Looked {
    /// At everything.
    Whole,
    /// Up to where it was enough.
    Enough,
    /// Up to the bound, or past a directory that cannot be looked into.
    Untold,
}

impl Target {
    /// Shows the names of everything below a directory, in no order: relative to it, and whether it is a directory. No
    /// link is followed. At most `most` names are shown.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Special`, `NotFound`, `Denied`, `WrongOperation`, `Io`: about the directory itself.
    pub fn look_below(&self, most: usize, each: impl FnMut(&[u8], bool) -> LookOn) -> Result<Looked, Error> {
        self.judged_for(&[Operation::Search, Operation::CopyFrom, Operation::List])?;
        let existing = self.existing(FileKind::Dir)?;
        let dir = raw::reopen_dir_unchecked(existing.object).map_err(check::raced)?;
        check::dir_stands(&dir, existing.facts)?;
        let mut look = Look {
            each,
            left: most,
            untold: false,
        };
        let first = match look.names(&dir, &[]) {
            Ok(names) => names,
            Err(ended) => return Ok(ended),
        };
        Ok(look.down(dir, first))
    }
}

struct Look<F> {
    each: F,
    left: usize,
    /// A directory could not be looked into.
    untold: bool,
}

/// A directory with the names in it that are still to be looked into, whole.
struct Level {
    dir: OwnedFd,
    names: Vec<Vec<u8>>,
}

impl<F: FnMut(&[u8], bool) -> LookOn> Look<F> {
    fn down(&mut self, dir: OwnedFd, names: Vec<Vec<u8>>) -> Looked {
        let mut levels = vec![Level { dir, names }];
        while let Some(level) = levels.last_mut() {
            let Some(path) = level.names.pop() else {
                levels.pop();
                continue;
            };
            let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(&path);
            match raw::open_dir_unchecked(&level.dir, name) {
                Ok(dir) if levels.len() < DEEPEST => match self.names(&dir, &path) {
                    Ok(names) => levels.push(Level { dir, names }),
                    Err(ended) => return ended,
                },
                // RACE: gone, or something else, since it was listed.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
                Ok(_) | Err(_) => self.untold = true,
            }
        }
        match self.untold {
            true => Looked::Untold,
            false => Looked::Whole,
        }
    }

    /// Shows what is in a directory, and keeps the directories that are to be looked into.
    fn names(&mut self, dir: impl AsFd, above: &[u8]) -> Result<Vec<Vec<u8>>, Looked> {
        let mut kept = Vec::new();
        let listed = each_name(&dir, |name, kind| {
            let Some(left) = self.left.checked_sub(1) else {
                return ControlFlow::Break(Looked::Untold);
            };
            self.left = left;
            let path = match above {
                [] => name.to_vec(),
                above => [above, name].join(&b'/'),
            };
            let is_directory = match kind {
                FileType::Unknown => is_directory(&dir, name),
                kind => kind == FileType::Directory,
            };
            match (self.each)(&path, is_directory) {
                LookOn::Enough => return ControlFlow::Break(Looked::Enough),
                LookOn::Into if is_directory => kept.push(path),
                LookOn::Into | LookOn::Over => {}
            }
            ControlFlow::Continue(())
        });
        match listed {
            Ok(ControlFlow::Break(ended)) => return Err(ended),
            Ok(ControlFlow::Continue(())) => {}
            Err(_) => self.untold = true,
        }
        Ok(kept)
    }
}

/// For file systems that do not say it in the listing.
fn is_directory(dir: impl AsFd, name: &[u8]) -> bool {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    statat(dir, name, flags).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}
