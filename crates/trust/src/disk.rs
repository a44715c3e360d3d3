//! The one home of this crate's looks at the disk and of the files that it writes.
#![expect(clippy::disallowed_methods, reason = "the home of this crate's system calls")]

use std::fs::{File, FileType};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, Stat};
use rustix::io::Errno;

/// What tells one object from another while it exists.
pub(crate) type Identity = (u64, u64);

/// Whether a name is taken, by a dangling link too. What cannot be looked at counts as present.
pub(crate) fn is_present(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => !matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
        ),
    }
}

/// The identity of what a name leads to, when it can be had.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// Which object a name leads to and when that was changed last, without opening it.
pub(crate) fn state(path: &Path) -> io::Result<String> {
    let found = std::fs::metadata(path)?;
    let object = (found.dev(), found.ino(), found.size());
    let times = (
        found.mtime(),
        found.mtime_nsec(),
        found.ctime(),
        found.ctime_nsec(),
    );
    Ok(format!("{object:?} {times:?}"))
}

/// Where a directory really is.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// What stands at a name itself.
pub(crate) fn kind(path: &Path) -> io::Result<FileType> {
    Ok(std::fs::symlink_metadata(path)?.file_type())
}

/// Whether a name leads to a directory, through links too.
pub(crate) fn leads_to_directory(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_dir())
}

/// Whether a name leads to a regular file, through links too.
pub(crate) fn leads_to_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// Whether a name leads to anything. What cannot be looked at does.
pub(crate) fn leads_somewhere(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// The bytes of a link.
pub(crate) fn link_text(path: &Path) -> io::Result<Vec<u8>> {
    Ok(std::fs::read_link(path)?.as_os_str().as_bytes().to_vec())
}

/// The names in a directory, sorted; `None` when there are more than `most`.
pub(crate) fn names(path: &Path, most: usize) -> io::Result<Option<Vec<PathBuf>>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        if names.len() == most {
            return Ok(None);
        }
        names.push(entry?.path());
    }
    names.sort();
    Ok(Some(names))
}

/// The bytes of what a name leads to, when it is a regular file of at most `most` bytes.
pub(crate) fn bytes(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    bounded(file, most)
}

fn bounded(file: File, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok(u64::try_from(bytes.len())
        .is_ok_and(|length| length <= most)
        .then_some(bytes))
}

/// A file of the user's own, opened to be read.
pub(crate) enum Own {
    /// There is none.
    Missing,
    /// It is not one that only its owner can write; why.
    Unusable(&'static str),
    /// Its bytes.
    Bytes(Vec<u8>),
}

/// Reads a file that only its owner may have written: not through a link, a regular file with one name, of this user,
/// writable by nobody else, of at most `most` bytes.
pub(crate) fn own_file(path: &Path, most: u64) -> io::Result<Own> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(Own::Missing),
        Err(Errno::LOOP) => return Ok(Own::Unusable("is a link")),
        Err(Errno::NXIO) => return Ok(Own::Unusable("is not a regular file")),
        Err(errno) => return Err(errno.into()),
    };
    if let Some(why) = unusable(&rustix::fs::fstat(&file)?) {
        return Ok(Own::Unusable(why));
    }
    Ok(match bounded(File::from(file), most)? {
        Some(bytes) => Own::Bytes(bytes),
        None => Own::Unusable("is too large"),
    })
}

fn unusable(stat: &Stat) -> Option<&'static str> {
    let kind = rustix::fs::FileType::from_raw_mode(stat.st_mode);
    if kind != rustix::fs::FileType::RegularFile {
        return Some("is not a regular file");
    }
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Some("belongs to another user");
    }
    if stat.st_nlink != 1 {
        return Some("has another name");
    }
    if Mode::from_raw_mode(stat.st_mode).intersects(Mode::WGRP | Mode::WOTH) {
        return Some("can be written by others");
    }
    None
}

/// Makes a directory and what is missing above it; only its owner can enter those that are made.
pub(crate) fn make_directory(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Makes one directory, which must not be there yet.
pub(crate) fn make_new_directory(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

/// Removes an empty directory.
pub(crate) fn remove_directory(path: &Path) -> io::Result<()> {
    std::fs::remove_dir(path)
}

/// When something was last changed, in whole seconds.
pub(crate) fn changed_at(path: &Path) -> io::Result<i64> {
    Ok(std::fs::symlink_metadata(path)?.mtime())
}

/// The file that a lock is taken on, made when it is missing.
pub(crate) fn lock_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(
        path,
        flags,
        Mode::RUSR | Mode::WUSR,
    )?))
}

/// The time of the file system: that of a byte which is written now.
pub(crate) fn now(file: &File) -> io::Result<i64> {
    let mut writer = file;
    writer.write_all(b"\n")?;
    file.set_len(0)?;
    Ok(file.metadata()?.mtime())
}

/// Replaces a file as a whole: a new file of mode 0600 beside it is written, synced and renamed, and the directory is
/// synced. Whoever looks sees the old bytes or the new ones.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let missing = || io::Error::from(io::ErrorKind::InvalidInput);
    let directory = path.parent().ok_or_else(missing)?;
    let mut name = path.file_name().ok_or_else(missing)?.to_owned();
    name.push(".new");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory: OwnedFd = rustix::fs::open(directory, flags, Mode::empty())?;
    // What a process left that was ended in the middle. The lock is held: nobody else writes it.
    match rustix::fs::unlinkat(&directory, &name, rustix::fs::AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(errno) => return Err(errno.into()),
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(
        &directory,
        &name,
        flags,
        Mode::RUSR | Mode::WUSR,
    )?);
    file.write_all(bytes)?;
    file.sync_all()?;
    let target = path.file_name().ok_or_else(missing)?;
    rustix::fs::renameat(&directory, &name, &directory, target)?;
    rustix::fs::fsync(&directory)?;
    Ok(())
}
