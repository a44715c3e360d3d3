use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError};
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::process::STARTING;
use crate::{Error, ErrorKind};

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, Error> {
    result.map_err(|error| Error::new(ErrorKind::Host, error.to_string()).within(path))
}

pub(crate) fn text(path: &Path) -> Result<String, Error> {
    at(path, fs::read_to_string(path))
}

pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    at(path, fs::read(path))
}

/// The bytes, or none when there is no such file.
pub(crate) fn bytes_if_there(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_default()
}

pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
    at(path, fs::write(path, bytes))
}

/// Writes at the end of a file.
pub(crate) fn append(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Error> {
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    at(
        path,
        file.and_then(|mut file| io::Write::write_all(&mut file, text.as_ref())),
    )
}

/// A file that somebody is still writing: it holds the beginning, and is open.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    file: fs::File,
    rest: Vec<u8>,
}

impl Unfinished {
    /// Empties a file and writes the first bytes.
    pub(crate) fn begin(path: &Path, bytes: &[u8], first: usize) -> Result<Self, Error> {
        let (first, rest) = bytes.split_at(first.min(bytes.len()));
        let mut file = at(path, fs::File::create(path))?;
        at(path, io::Write::write_all(&mut file, first))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            rest: rest.to_vec(),
        })
    }

    /// Writes the rest and closes it.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        at(&self.path, io::Write::write_all(&mut self.file, &self.rest))
    }
}

/// Writes a program.
pub(crate) fn write_program(path: &Path, text: &str) -> Result<(), Error> {
    let _none_starts = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    at(path, fs::write(path, text))
}

pub(crate) fn make_dirs(path: &Path) -> Result<(), Error> {
    at(path, fs::create_dir_all(path))
}

pub(crate) fn make_link(path: &Path, target: &[u8]) -> Result<(), Error> {
    at(path, symlink(OsStr::from_bytes(target), path))
}

pub(crate) fn make_hard_link(path: &Path, old: &Path) -> Result<(), Error> {
    at(path, fs::hard_link(old, path))
}

pub(crate) fn make_fifo(path: &Path) -> Result<(), Error> {
    let made = mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0);
    at(path, made.map_err(io::Error::from))
}

pub(crate) fn set_mode(path: &Path, mode: u32) -> Result<(), Error> {
    at(path, fs::set_permissions(path, Permissions::from_mode(mode)))
}

/// Removes an entry, with everything below; one that is not there is fine.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return at(path, Err(error)),
    };
    if found.is_dir() {
        at(path, fs::remove_dir_all(path))
    } else {
        at(path, fs::remove_file(path))
    }
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    at(from, fs::rename(from, to))
}

pub(crate) fn metadata(path: &Path) -> Result<fs::Metadata, Error> {
    at(path, fs::symlink_metadata(path))
}

pub(crate) fn link_target(path: &Path) -> Result<PathBuf, Error> {
    at(path, fs::read_link(path))
}

/// The entries of a directory, sorted.
pub(crate) fn entries(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in at(path, fs::read_dir(path))? {
        found.push(at(path, entry)?.path());
    }
    found.sort();
    Ok(found)
}

/// What stands at a place, unless its rights keep this user from looking: none then.
fn unless_locked<T>(path: &Path, look: impl FnOnce(&Path) -> io::Result<T>) -> Result<Option<T>, Error> {
    match look(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        result => at(path, result).map(Some),
    }
}

/// The entries of a directory, sorted; none where its rights keep this user from looking.
pub(crate) fn entries_unless_locked(path: &Path) -> Result<Vec<PathBuf>, Error> {
    match unless_locked(path, |path| fs::read_dir(path))? {
        None => Ok(Vec::new()),
        Some(_) => entries(path),
    }
}

/// The bytes of a file; none where its rights keep this user from looking.
pub(crate) fn bytes_unless_locked(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    unless_locked(path, |path| fs::read(path))
}

/// Every regular file below a folder, sorted; no link is followed.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for path in entries(&folder)? {
            if metadata(&path)?.is_dir() {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Copies files and directories with their modes; what is neither is left out.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<(), Error> {
    let found = metadata(from)?;
    if found.is_file() {
        return at(from, fs::copy(from, to)).map(|_| ());
    }
    if !found.is_dir() {
        return Ok(());
    }
    at(to, fs::create_dir(to))?;
    for entry in entries(from)? {
        if let Some(name) = entry.file_name() {
            copy_all(&entry, &to.join(name))?;
        }
    }
    at(to, fs::set_permissions(to, found.permissions()))
}

pub(crate) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether a directory is there, by whatever name.
pub(crate) fn is_directory(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_dir())
}

/// The real path of what is there.
pub(crate) fn real(path: &Path) -> Result<PathBuf, Error> {
    at(path, fs::canonicalize(path))
}

/// The directory that the program was started in.
pub(crate) fn here() -> Result<PathBuf, Error> {
    at(Path::new("."), std::env::current_dir())
}

/// A fresh directory with a random name.
pub(crate) fn sandbox() -> Result<tempfile::TempDir, Error> {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    let place = PLACE.get_or_init(sandboxes);
    at(place, fresh(place))
}

fn fresh(place: &Path) -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("t")
        .rand_bytes(10)
        .tempdir_in(place)
}

/// Where sandboxes stand: in memory, where thousands of them cost little, unless `TMPDIR` says where or programs
/// cannot be run there.
fn sandboxes() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let said = std::env::var_os("TMPDIR").is_some();
    if !said && runs_programs(&memory) {
        memory
    } else {
        std::env::temp_dir()
    }
}

fn runs_programs(place: &Path) -> bool {
    fresh(place).is_ok_and(|folder| {
        let program = folder.path().join("program");
        let made = write_program(&program, "#!/bin/sh\n").and_then(|()| set_mode(&program, 0o755));
        let words = [program.into_os_string()];
        made.is_ok() && super::process::output(&words, folder.path(), Duration::from_secs(5)).is_ok()
    })
}

/// Lets a held witness go, when one waits: whether one did.
pub(crate) fn fifo_has_reader(path: &Path) -> Option<fs::File> {
    use rustix::fs::{OFlags, open};
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    open(path, flags, Mode::empty()).ok().map(fs::File::from)
}
