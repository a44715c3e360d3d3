//! Whether somebody is in the middle of writing a file. The kernel tells it: a file that was changed and not closed yet is
//! half of one, however long that takes.

use std::ffi::OsString;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::fs::{FileType, lstat, readlink, stat};
use rustix::io::Errno;

/// Most links that are followed from the name to the file; more than the kernel follows.
const LINKS: usize = 41;

/// A watch over a name and what it leads to.
#[derive(Debug)]
pub(super) struct Watch {
    path: PathBuf,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    fd: OwnedFd,
    names: Vec<Name>,
    /// Changed since it was closed last.
    is_being_written: bool,
}

/// One name on the way to the file.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    watch: i32,
    directory: PathBuf,
    /// Of the directory: another one in its place has to be watched anew.
    identity: (u64, u64),
    name: OsString,
}

/// What happened since the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// Nothing.
    Nothing,
    /// Something, and whoever wrote has closed the file.
    Whole,
    /// Somebody is writing.
    Half,
    /// Nobody watched.
    Untold,
}

impl Watch {
    pub(super) fn over(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            running: Running::start(path).ok(),
        }
    }

    /// What happened to the file and to the names on the way to it.
    pub(super) fn look(&mut self) -> Seen {
        let seen = match &mut self.running {
            Some(running) if running.is_in_place(&self.path) => running.drain(),
            _ => Err(Errno::STALE),
        };
        seen.unwrap_or_else(|_| {
            self.running = Running::start(&self.path).ok();
            Seen::Untold
        })
    }
}

impl Running {
    fn start(path: &Path) -> Result<Self, Errno> {
        let mut names = way(path)?;
        let fd = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let wanted = WatchFlags::MODIFY
            | WatchFlags::CREATE
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVED_FROM
            | WatchFlags::DELETE
            | WatchFlags::ONLYDIR;
        for name in &mut names {
            name.watch = add_watch(&fd, &name.directory, wanted)?;
        }
        Ok(Self {
            fd,
            names,
            is_being_written: false,
        })
    }

    /// Whether the names still lead where they led.
    fn is_in_place(&self, path: &Path) -> bool {
        let Ok(now) = way(path) else { return false };
        let known = self.names.iter().map(|name| (name.identity, &name.name));
        now.iter().map(|name| (name.identity, &name.name)).eq(known)
    }

    fn drain(&mut self) -> Result<Seen, Errno> {
        let mut happened = false;
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.fd, &mut buffer);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => continue,
                Err(errno) => return Err(errno),
            };
            let kind = event.events();
            if kind.intersects(ReadFlags::QUEUE_OVERFLOW | ReadFlags::IGNORED) {
                return Err(Errno::OVERFLOW);
            }
            let Some(called) = event.file_name() else { continue };
            let of = |name: &&Name| name.watch == event.wd() && name.name.as_bytes() == called.to_bytes();
            let Some(name) = self.names.iter().find(of) else {
                continue;
            };
            happened = true;
            if kind.intersects(ReadFlags::MODIFY) {
                self.is_being_written = true;
            } else if kind.intersects(ReadFlags::CREATE) {
                // A link is whole as soon as it is there.
                self.is_being_written = lstat(name.directory.join(&name.name)).is_ok_and(|found| {
                    found.st_nlink == 1 && FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
                });
            } else {
                self.is_being_written = false;
            }
        }
        Ok(match (self.is_being_written, happened) {
            (true, _) => Seen::Half,
            (false, true) => Seen::Whole,
            (false, false) => Seen::Nothing,
        })
    }
}

/// The name, and those that its links lead to.
fn way(path: &Path) -> Result<Vec<Name>, Errno> {
    let mut names = Vec::new();
    let mut next = Some(path.to_path_buf());
    while let Some(path) = next.take() {
        if names.len() == LINKS {
            return Err(Errno::LOOP);
        }
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Errno::INVAL);
        };
        let found = stat(directory)?;
        if let Ok(target) = readlink(&path, Vec::new()) {
            next = Some(directory.join(std::ffi::OsStr::from_bytes(target.to_bytes())));
        }
        names.push(Name {
            watch: 0,
            directory: directory.to_path_buf(),
            identity: (found.st_dev, found.st_ino),
            name: name.to_os_string(),
        });
    }
    Ok(names)
}
