//! The one home of this crate's system calls: every file is opened and named here.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, Stat};
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

    /// Checks that the log's name still means this very file, and that it is ours alone. Returns its length.
    pub(crate) fn check(&self, file: &File) -> Result<u64, Error> {
        let held = stat(&self.path, file)?;
        owned_alone(&self.path, &held)?;
        let named = rustix::fs::statat(&self.held, self.name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| Error::place(&self.path, "is gone from its place").because(errno))?;
        if !same_object(&held, &named) {
            return Err(Error::place(&self.path, "was replaced by another file"));
        }
        if self.directory.is_absolute() {
            let directory = stat(&self.path, &self.held)?;
            let named = rustix::fs::stat(&self.directory)
                .map_err(|errno| Error::place(&self.path, "has lost its directory").because(errno))?;
            if !same_object(&directory, &named) {
                return Err(Error::place(
                    &self.path,
                    "stands in a directory that was replaced",
                ));
            }
        }
        length(&self.path, &held)
    }

    /// Opens a small file beside the log for reading; `None` when there is none.
    pub(crate) fn open_beside(&self, name: &OsStr) -> Result<Option<File>, Error> {
        let path = self.path_of(name);
        match rustix::fs::openat(&self.held, name, OFlags::RDONLY | SAFELY, Mode::empty()) {
            Ok(file) => {
                let file = File::from(file);
                owned_alone(&path, &stat(&path, &file)?)?;
                Ok(Some(file))
            }
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(open_error(&path, errno)),
        }
    }

    /// Creates a file beside the log; fails when the name is taken.
    pub(crate) fn create_beside(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | SAFELY;
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

    /// Gives a file its final name; never over another one, where the file system can promise that.
    pub(crate) fn rename_beside(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let held = &self.held;
        match rustix::fs::renameat_with(held, from, held, to, RenameFlags::NOREPLACE) {
            // The caller holds the log's lock, so nobody of ours takes the name in between.
            Err(Errno::INVAL | Errno::NOSYS) => Ok(rustix::fs::renameat(held, from, held, to)?),
            other => Ok(other?),
        }
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

/// Reads exactly to the end of `bytes` from a place in the file.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
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

fn owned_alone(path: &Path, stat: &Stat) -> Result<(), Error> {
    regular(path, stat)?;
    let wide = Mode::RWXG | Mode::RWXO;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        Err(Error::place(path, "belongs to another user"))
    } else if Mode::from_raw_mode(stat.st_mode).intersects(wide) {
        Err(Error::place(path, "can be reached by other users"))
    } else {
        match stat.st_nlink {
            0 => Err(Error::place(path, "was deleted")),
            1 => Ok(()),
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
