use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use crate::{Error, ErrorKind};

/// The log's lock, held against every other process and every other open log of this one.
#[derive(Debug)]
pub(crate) struct Held<'a>(&'a File);

/// Between two tries. Short, since a holder needs no longer than one write and one sync.
const PAUSE: Duration = Duration::from_micros(500);

impl<'a> Held<'a> {
    /// Takes the lock, trying for about `wait`. The bound counts pauses, not a clock.
    pub(crate) fn take(file: &'a File, path: &Path, wait: Duration) -> Result<Self, Error> {
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) if waited < wait => {
                    std::thread::sleep(PAUSE);
                    waited += PAUSE;
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::new(
                        ErrorKind::Locked,
                        path,
                        "stayed locked by another process",
                    ));
                }
                Err(TryLockError::Error(error)) => {
                    return Err(Error::io(path, "cannot be locked", error));
                }
            }
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // A lock that cannot be released goes when the file is closed; the record is durable either way.
        drop(self.0.unlock());
    }
}
