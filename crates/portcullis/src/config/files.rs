//! The one place of this crate that opens configuration files.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::diagnostic::ConfigError;

const LARGEST: u64 = 1 << 20;

/// Reads a file of the user's own, through links: people keep their settings elsewhere and link them.
pub(super) fn read_user(path: &Path, name: &str) -> Result<Option<String>, ConfigError> {
    match rustix::fs::open(path, FILE, Mode::empty()) {
        Ok(file) => read(file, name).map(Some),
        Err(Errno::NOENT) if matches!(rustix::fs::lstat(path), Err(Errno::NOENT)) => Ok(None),
        Err(errno) => Err(io_failed(name, errno)),
    }
}

/// Reads a file that came with a project, name by name below its root; a link in the place of one of the names is not
/// followed.
pub(super) fn read_project(root: &Path, below: &Path, name: &str) -> Result<Option<String>, ConfigError> {
    let directory = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut held =
        rustix::fs::open(root, directory, Mode::empty()).map_err(|errno| io_failed(name, errno))?;
    let mut names = below.iter().peekable();
    while let Some(next) = names.next() {
        let flags = match names.peek() {
            Some(_) => directory,
            None => FILE,
        };
        held = match rustix::fs::openat(&held, next, flags | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(io_failed(name, errno)),
        };
    }
    read(held, name).map(Some)
}

/// NONBLOCK: a FIFO in the place of the file must not hold up the gate.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

fn read(file: OwnedFd, name: &str) -> Result<String, ConfigError> {
    let facts = rustix::fs::fstat(&file).map_err(|errno| io_failed(name, errno))?;
    if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile {
        return Err(ConfigError::unreadable(
            name,
            "it is not a regular file".to_owned(),
            "put a plain file in its place",
        ));
    }
    let mut bytes = Vec::new();
    File::from(file)
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| io_failed(name, Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(ConfigError::unreadable(
            name,
            "it is larger than 1 MiB".to_owned(),
            "a policy is short: is this the right file?",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        ConfigError::unreadable(
            name,
            format!("it is not UTF-8 from byte {} on", place + 1),
            "save it as UTF-8",
        )
    })
}

fn io_failed(name: &str, errno: Errno) -> ConfigError {
    let error = std::io::Error::from(errno);
    ConfigError::unreadable(
        name,
        format!("it cannot be read: {}", error.to_string().to_lowercase()),
        "check that it is a plain file that you may read",
    )
}
