//! The one home of this crate's system calls: every file is opened and named here.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::{Error, ErrorKind};

/// The directory that holds a log and what stands beside it, held open.
#[derive(Debug)]
pub(crate) struct Home {
    path: PathBuf,
    directory: PathBuf,
    name: OsString,
    held: OwnedFd,
}

const OWNER_ONLY: Mode = Mode::RUSR.union(Mode::WUSR);
/// Never through a link, never waiting for the other end of a pipe, never inherited by a child.
const SAFELY: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

impl Home {
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let name = path
            .file_name()
            .ok_or_else(|| Error::place(path, "has no file name"))?;
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let held = rustix::fs::open(
            directory,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .map_err(|errno| Error::place(path, "has no usable directory").because(errno))?;
        Ok(Self {
            path: path.to_owned(),
            directory: directory.to_owned(),
            name: name.to_owned(),
            held,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The name of a file that belongs to this log.
    pub(crate) fn beside(&self, suffix: &str) -> OsString {
        let mut name = self.name.clone();
        name.push(suffix);
        name
    }

    /// The whole path of a file in this directory.
    pub(crate) fn path_of(&self, name: &OsStr) -> PathBuf {
        self.directory.join(name)
    }

    /// Opens the log to read and append, creating it for the owner alone.
    pub(crate) fn open_log(&self) -> Result<File, Error> {
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | SAFELY;
        match rustix::fs::openat(&self.held, self.name.as_os_str(), flags, OWNER_ONLY) {
            Ok(file) => Ok(File::from(file)),
            Err(errno) => Err(open_error(&self.path, errno)),
        }
    }

    /// Checks that the file is one that a log may be kept in, before anything is done on its behalf. While another
    /// process is changing over to a new file, the old one has a second name.
    pub(crate) fn may_hold(&self, file: &File) -> Result<(), Error> {
        owned(&self.path, &stat(&self.path, file)?, 2)
    }

    /// Whether a file has two names now.
    pub(crate) fn has_second_name(&self, file: &File) -> Result<bool, Error> {
        Ok(stat(&self.path, file)?.st_nlink == 2)
    }

    /// Whether the log's name means another file than this one.
    pub(crate) fn is_elsewhere(&self, file: &File) -> Result<bool, Error> {
        let held = stat(&self.path, file)?;
        match rustix::fs::statat(&self.held, self.name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok(!same_object(&held, &named)),
            // That it is gone is for the check to say.
            Err(_) => Ok(false),
        }
    }

    /// Whether a name in a directory of ours means this very file.
    pub(crate) fn is_named(&self, directory: &OwnedFd, name: &OsStr, file: &File) -> bool {
        let named = rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
        let held = rustix::fs::fstat(file);
        matches!((named, held), (Ok(named), Ok(held)) if same_object(&named, &held))
    }

    /// Whether a name beside the log means this very file.
    pub(crate) fn has_beside(&self, name: &OsStr, file: &File) -> bool {
        self.is_named(&self.held, name, file)
    }

    /// Checks that the log's name still means this very file, and that it is ours alone. Returns its length.
    pub(crate) fn check(&self, file: &File) -> Result<u64, Error> {
        let held = stat(&self.path, file)?;
        owned(&self.path, &held, 1)?;
        let named = rustix::fs::statat(&self.held, self.name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| match errno {
                Errno::NOENT => Error::place(&self.path, "is gone from its place"),
                _ => Error::place(&self.path, "cannot be looked up in its directory").because(errno),
            })?;
        if !same_object(&held, &named) {
            return Err(Error::place(&self.path, "was replaced by another file"));
        }
        if self.directory.is_absolute() {
            let directory = stat(&self.path, &self.held)?;
            let named = rustix::fs::stat(&self.directory).map_err(|errno| match errno {
                Errno::NOENT | Errno::NOTDIR => Error::place(&self.path, "has lost its directory"),
                _ => Error::place(&self.path, "has a directory that cannot be reached").because(errno),
            })?;
            if !same_object(&directory, &named) {
                return Err(Error::place(
                    &self.path,
                    "stands in a directory that was replaced",
                ));
            }
        }
        length(&self.path, &held)
    }

    /// Opens a small file beside the log to read and rewrite it; `None` when there is none.
    pub(crate) fn open_beside(&self, name: &OsStr) -> Result<Option<File>, Error> {
        let path = self.path_of(name);
        match rustix::fs::openat(&self.held, name, OFlags::RDWR | SAFELY, Mode::empty()) {
            Ok(file) => {
                let file = File::from(file);
                owned(&path, &stat(&path, &file)?, 1)?;
                Ok(Some(file))
            }
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(open_error(&path, errno)),
        }
    }

    /// Opens a file that is used as a lock, or creates it.
    pub(crate) fn open_or_create_beside(&self, name: &OsStr) -> Result<File, Error> {
        let path = self.path_of(name);
        let flags = OFlags::RDWR | OFlags::CREATE | SAFELY;
        let file = rustix::fs::openat(&self.held, name, flags, OWNER_ONLY)
            .map_err(|errno| open_error(&path, errno))?;
        let file = File::from(file);
        owned(&path, &stat(&path, &file)?, 1)?;
        Ok(file)
    }

    /// Creates a file beside the log; fails when the name is taken.
    pub(crate) fn create_beside(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | SAFELY;
        Ok(File::from(rustix::fs::openat(
            &self.held, name, flags, OWNER_ONLY,
        )?))
    }

    /// Creates a file that will be the log.
    pub(crate) fn create_log_beside(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | SAFELY;
        Ok(File::from(rustix::fs::openat(
            &self.held, name, flags, OWNER_ONLY,
        )?))
    }

    pub(crate) fn remove_beside(&self, name: &OsStr) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.held, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Puts a file under a name that may be taken, in one step.
    pub(crate) fn replace_beside(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.held, from, &self.held, to)?)
    }

    /// Makes a small file with this content, durable under its name; over an older one, if there is one. The caller
    /// holds the log's lock.
    pub(crate) fn keep_beside(&self, name: &OsStr, content: &[u8]) -> io::Result<()> {
        let mut new = name.to_owned();
        new.push(".new");
        // Only a crash leaves this name behind.
        self.remove_beside(&new)?;
        let mut file = self.create_beside(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        self.replace_beside(&new, name)?;
        self.sync()
    }

    /// The log's own directory for earlier parts, made for the owner alone when it is wanted and missing.
    pub(crate) fn directory_beside(&self, suffix: &str, make: bool) -> io::Result<OwnedFd> {
        let name = self.beside(suffix);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | SAFELY;
        if make {
            match rustix::fs::mkdirat(&self.held, &name, Mode::RWXU) {
                Ok(()) => self.sync()?,
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        let directory = rustix::fs::openat(&self.held, &name, flags, Mode::empty())?;
        let found = rustix::fs::fstat(&directory)?;
        let wide = Mode::RWXG | Mode::RWXO;
        if found.st_uid != rustix::process::geteuid().as_raw()
            || Mode::from_raw_mode(found.st_mode).intersects(wide)
        {
            return Err(io::Error::other(
                "the directory of earlier parts is not its owner's alone",
            ));
        }
        Ok(directory)
    }

    /// Gives the log a second name in a directory of ours.
    pub(crate) fn link_log(&self, directory: &OwnedFd, name: &OsStr) -> io::Result<()> {
        let log = self.name.as_os_str();
        rustix::fs::linkat(&self.held, log, directory, name, AtFlags::empty())?;
        Ok(rustix::fs::fsync(directory)?)
    }

    /// Takes a second name away again.
    pub(crate) fn unlink_in(&self, directory: &OwnedFd, name: &OsStr) -> io::Result<()> {
        rustix::fs::unlinkat(directory, name, AtFlags::empty())?;
        Ok(rustix::fs::fsync(directory)?)
    }

    /// The log's own name.
    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Makes names in the directory durable.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.held)?)
    }
}

/// Opens a log to read it: any regular file, but never through a link.
pub(crate) fn open_to_read(path: &Path) -> Result<File, Error> {
    let file = rustix::fs::open(path, OFlags::RDONLY | SAFELY, Mode::empty())
        .map_err(|errno| open_error(path, errno))?;
    let file = File::from(file);
    regular(path, &stat(path, &file)?)?;
    Ok(file)
}

/// The same for a file that need not be there.
pub(crate) fn open_if_there(path: &Path) -> Result<Option<File>, Error> {
    match rustix::fs::statat(rustix::fs::CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        _ => open_to_read(path).map(Some),
    }
}

/// Reads exactly to the end of `bytes` from a place in the file.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

/// The names in a directory that stands beside a log; none when there is no such directory.
pub(crate) fn names(path: &Path) -> io::Result<Vec<OsString>> {
    #[expect(clippy::disallowed_methods, reason = "the home of this crate's system calls")]
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    entries.map(|entry| Ok(entry?.file_name())).collect()
}

/// Writes at a place in the file, whatever its own position.
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

fn open_error(path: &Path, errno: Errno) -> Error {
    match errno {
        Errno::LOOP => Error::place(path, "is a symbolic link"),
        Errno::ISDIR => Error::place(path, "is a directory"),
        Errno::NXIO => Error::place(path, "is not a regular file"),
        Errno::NOENT => Error::place(path, "does not exist"),
        Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::NOTDIR | Errno::NAMETOOLONG => {
            Error::place(path, "cannot be opened").because(errno)
        }
        _ => Error::io(path, "cannot be opened", errno),
    }
}

fn stat(path: &Path, file: &impl std::os::fd::AsFd) -> Result<Stat, Error> {
    rustix::fs::fstat(file).map_err(|errno| Error::io(path, "cannot be examined", errno))
}

fn regular(path: &Path, stat: &Stat) -> Result<(), Error> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(()),
        FileType::Directory => Err(Error::place(path, "is a directory")),
        _ => Err(Error::place(path, "is not a regular file")),
    }
}

/// A regular file of ours that nobody else reaches, with at most so many names.
fn owned(path: &Path, stat: &Stat, names: u64) -> Result<(), Error> {
    regular(path, stat)?;
    let wide = Mode::RWXG | Mode::RWXO;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        Err(Error::place(path, "belongs to another user"))
    } else if Mode::from_raw_mode(stat.st_mode).intersects(wide) {
        Err(Error::place(path, "can be reached by other users"))
    } else {
        match stat.st_nlink {
            0 => Err(Error::place(path, "was deleted")),
            found if found <= names => Ok(()),
            _ => Err(Error::place(path, "has a second name")),
        }
    }
}

fn same_object(one: &Stat, other: &Stat) -> bool {
    one.st_dev == other.st_dev && one.st_ino == other.st_ino
}

fn length(path: &Path, stat: &Stat) -> Result<u64, Error> {
    u64::try_from(stat.st_size)
        .map_err(|_| Error::new(ErrorKind::Io, path, "has a length that makes no sense"))
}
