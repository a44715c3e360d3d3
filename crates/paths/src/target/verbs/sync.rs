//! Making a change of names durable.

use std::os::fd::AsFd;

use rustix::io::Errno;

use super::raw;
use crate::Error;

/// Syncs a held directory. One that may be written but not read, and a file system that cannot sync
/// directories, leave the change to the kernel's own time.
pub(super) fn directory(dir: impl AsFd) -> Result<(), Error> {
    let readable = match raw::reopen_dir_unchecked(dir) {
        Ok(readable) => readable,
        Err(Errno::ACCESS) => return Ok(()),
        Err(number) => return Err(Error::os(number)),
    };
    match rustix::fs::fsync(&readable) {
        Ok(()) | Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::ROFS) => Ok(()),
        Err(number) => Err(Error::os(number)),
    }
}
