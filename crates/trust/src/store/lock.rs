use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Error, ErrorKind, disk};

/// Between two tries.
const PAUSE: Duration = Duration::from_micros(500);
/// Tries until it is given up: about ten seconds. Pauses are counted, not a clock.
const TRIES: usize = 20_000;
/// After so many seconds Pi takes a lock for one that was left behind.
const STALE_SECONDS: i64 = 10;

/// A store's lock, against every other process of ours and against Pi. Pi's lock is a directory beside the file; one
/// that its owner left behind by a sudden end is taken away when it is old, as Pi does it. Only one of us looks after
/// it at a time, because ours comes first: a lock on a file, which ends with its process.
#[derive(Debug)]
pub(super) struct Held {
    directory: PathBuf,
    /// Closing it releases our own lock, after the directory is gone.
    _file: File,
}

impl Held {
    pub(super) fn take(store: &Path) -> Result<Self, Error> {
        let io = |error| Error::io(store, "cannot be locked", error);
        let file = disk::lock_file(&beside(store, ".guard")).map_err(io)?;
        let directory = beside(store, ".lock");
        let mut tries = 0..TRIES;
        patiently(&mut tries, store, || match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(io(error)),
        })?;
        patiently(&mut tries, store, || match disk::make_new_directory(&directory) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if is_left_behind(&directory, &file).map_err(io)? {
                    // Somebody else may be faster: then the next try sees it.
                    drop(disk::remove_directory(&directory));
                }
                Ok(false)
            }
            Err(error) => Err(io(error)),
        })?;
        Ok(Self {
            directory,
            _file: file,
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // One that cannot be removed is left behind, and is taken away by the next process once it is old.
        drop(disk::remove_directory(&self.directory));
    }
}

fn patiently(
    tries: &mut std::ops::Range<usize>,
    store: &Path,
    mut attempt: impl FnMut() -> Result<bool, Error>,
) -> Result<(), Error> {
    for _ in tries {
        if attempt()? {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
    Err(Error::new(
        ErrorKind::Locked,
        store,
        "stayed locked by another process",
    ))
}

fn is_left_behind(directory: &Path, file: &File) -> io::Result<bool> {
    match disk::changed_at(directory) {
        Ok(made) => Ok(disk::now(file)?.saturating_sub(made) > STALE_SECONDS),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn beside(store: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(store);
    name.push(suffix);
    PathBuf::from(name)
}
