//! One directory's own names: all but its directories go at once.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{FileType, RawDir, SeekFrom};
use rustix::io::Errno;

use super::level::{Level, PATIENCE};
use super::walk::Walk;
use crate::target::verbs::{check, raw};
use crate::{Error, Facts, FileKind, Leaf};

pub(super) enum Found {
    /// A directory, seen on the top's mount, that has to be emptied first.
    Dir(Leaf, Facts),
    /// Everything that was read is gone.
    Nothing,
}

impl Walk<'_> {
    /// Removes names from where the level was left to the next directory or the end.
    pub(super) fn sweep(&mut self, dir: impl AsFd, level: &mut Level) -> Result<Found, Error> {
        let dir = dir.as_fd();
        go_on(dir, level.cookie)?;
        let mut buffer = [MaybeUninit::<u8>::uninit(); 8 * 1024];
        let mut entries = RawDir::new(dir, &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = entry.map_err(check::raced)?;
            level.cookie = entry.next_entry_cookie();
            let Some(leaf) = Leaf::from_bytes(entry.file_name().to_bytes()) else {
                continue;
            };
            let maybe_file = entry.file_type() != FileType::Directory;
            if let Some(facts) = self.unlink(dir, &leaf, maybe_file, level)? {
                return Ok(Found::Dir(leaf, facts));
            }
        }
        Ok(Found::Nothing)
    }

    /// Removes the name, or hands back the directory that stands there.
    fn unlink(
        &mut self,
        dir: impl AsFd,
        leaf: &Leaf,
        maybe_file: bool,
        level: &mut Level,
    ) -> Result<Option<Facts>, Error> {
        let mut try_file = maybe_file;
        for _ in 0..PATIENCE {
            if try_file {
                self.spend()?;
                match raw::unlink_unchecked(&dir, leaf.as_bytes()) {
                    Ok(()) => {
                        self.removed.files = self.removed.files.saturating_add(1);
                        level.progress = true;
                        return Ok(None);
                    }
                    Err(Errno::NOENT) => return Ok(None),
                    Err(Errno::ISDIR) => {}
                    // Busy is what the kernel calls a file that something is mounted on.
                    Err(number) => return Err(check::raced(number)),
                }
            }
            match self.look(&dir, leaf)? {
                None => return Ok(None),
                Some(facts) if facts.kind == FileKind::Dir => return Ok(Some(facts)),
                Some(_) => try_file = true,
            }
        }
        Err(check::changed())
    }
}

/// Goes on reading where the directory was left. A position that the file system does not take is the beginning:
/// what was read is gone anyway.
fn go_on(dir: BorrowedFd<'_>, cookie: u64) -> Result<(), Error> {
    match rustix::fs::seek(dir, SeekFrom::Start(cookie)) {
        Ok(_) => Ok(()),
        Err(_) => rustix::fs::seek(dir, SeekFrom::Start(0))
            .map(drop)
            .map_err(Error::os),
    }
}
