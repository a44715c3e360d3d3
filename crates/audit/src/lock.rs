use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::{Error, ErrorKind};

/// The log's lock, held against every other process and every other open log of this one.
#[derive(Debug)]
pub(crate) struct Held(Arc<File>);

/// Between two tries. Short, since a holder needs no longer than one write and one sync.
const PAUSE: Duration = Duration::from_micros(500);

impl Held {
    /// A lock that the file has already.
    pub(crate) fn already(file: &Arc<File>) -> Self {
        Self(Arc::clone(file))
    }

    /// Takes the lock, trying for about `wait`. The bound counts pauses, not a clock.
    pub(crate) fn take(file: &Arc<File>, path: &Path, wait: Duration) -> Result<Self, Error> {
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(Arc::clone(file))),
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

impl Drop for Held {
    fn drop(&mut self) {
        // A lock that cannot be released goes when the file is closed; the record is durable either way.
        drop(self.0.unlock());
    }
}
