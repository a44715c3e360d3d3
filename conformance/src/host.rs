//! What this machine's file system can do: tried out, not declared.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::Error;
use crate::os::{disk, mounts};

/// The features of the host that are there.
pub(crate) fn features() -> Result<Vec<String>, Error> {
    let place = disk::sandbox()?;
    let at = |name: &str| place.path().join(name);
    disk::write(&at("a"), "a")?;
    let mut found = Vec::new();
    let mut probe = |word: &str, there: bool| {
        if there {
            found.push(word.to_owned());
        }
    };
    probe("fs.symlink", disk::make_link(&at("l"), b"a").is_ok());
    probe("fs.hardlink", disk::make_hard_link(&at("h"), &at("a")).is_ok());
    probe("fs.fifo", disk::make_fifo(&at("f")).is_ok());
    probe("fs.bind", mounts::can_bind(place.path())?);
    let bytes = place.path().join(OsStr::from_bytes(b"\xff"));
    probe("fs.bytes", disk::write(&bytes, "").is_ok());
    probe("fs.case-sensitive", !disk::is_there(&at("A")));
    Ok(found)
}
