use std::fs::File;
use std::io;
use std::path::PathBuf;

use crate::Error;
use crate::disk::Home;
use crate::tail::{Part, Tail};

/// Copies the torn end into a file of its own, then cuts it off. The caller holds the log's lock.
///
/// The copy is durable before the cut: a crash in between only leaves a second copy.
pub(crate) fn set_aside(home: &Home, file: &File, tail: Tail, size: u64) -> Result<PathBuf, Error> {
    let sequence = tail.link.sequence.saturating_add(1);
    for attempt in 0..1000_u32 {
        let suffix = match attempt {
            0 => format!(".torn-{sequence}"),
            again => format!(".torn-{sequence}-{again}"),
        };
        let name = home.beside(&suffix);
        let mut aside = match home.create_beside(&name) {
            Ok(aside) => aside,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => {
                return Err(Error::io(
                    home.path(),
                    "has a torn end that cannot be kept",
                    error,
                ));
            }
        };
        let mut torn = Part {
            file,
            offset: tail.length,
            end: size,
        };
        io::copy(&mut torn, &mut aside)
            .and_then(|_| aside.sync_all())
            .and_then(|()| home.sync())
            .map_err(|error| Error::io(home.path(), "has a torn end that cannot be kept", error))?;
        file.set_len(tail.length)
            .and_then(|()| file.sync_all())
            .map_err(|error| Error::io(home.path(), "has a torn end that cannot be cut off", error))?;
        return Ok(home.path_of(&name));
    }
    Err(Error::place(home.path(), "has too many torn ends kept beside it"))
}
