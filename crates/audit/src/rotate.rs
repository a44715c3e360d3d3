//! Going over to a new file. The old one becomes an earlier part; the new one begins with a record that names the last
//! hash of the old one, so that the chain goes on.

use std::io::{self, Write as _};
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};

use crate::Error;
use crate::line::Body;
use crate::lock::Held;
use crate::place::Place;
use crate::tail::Tail;

/// What came of it.
pub(crate) enum Rotated {
    /// The log goes on in a new file, which is locked.
    Yes(Held),
    /// Nothing has changed, the old file is locked still; why.
    No(io::Error, Held),
}

/// Changes over. The caller holds the lock, and has come to the chain's end.
///
/// Order: the new file is written and durable under another name; the old one gets its name as a part; the new one
/// takes the log's name in one step. A crash before that step leaves the old file as the log; its second name and the
/// new file's other name are removed by whoever comes next.
///
/// # Errors
/// `Io`: the log goes on in the new file, and that could not be made durable.
pub(crate) fn rotate(place: &mut Place, time_ms: i64, held: Held) -> Result<Rotated, Error> {
    match prepare(place, time_ms) {
        Err(error) => Ok(Rotated::No(error, held)),
        Ok((file, tail)) => {
            let file = Arc::new(file);
            let new = Held::already(&file);
            place.go_over(file, tail);
            place
                .home
                .sync()
                .and_then(|()| place.sync_head())
                .map_err(|error| Error::io(place.home.path(), "cannot be made durable", error))?;
            drop(held);
            Ok(Rotated::Yes(new))
        }
    }
}

fn prepare(place: &mut Place, time_ms: i64) -> io::Result<(std::fs::File, Tail)> {
    let home = &place.home;
    let new_name = home.beside(".next");
    home.remove_beside(&new_name)?;
    let mut file = home.create_log_beside(&new_name)?;
    // Whoever opens it under its final name has to wait.
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    let body = Body::continued(time_ms, place.tail.link.sequence).ok_or(io::ErrorKind::InvalidData)?;
    let mut line = Vec::new();
    let link = body
        .seal(place.tail.link, &mut line)
        .ok_or(io::ErrorKind::InvalidData)?;
    file.write_all(&line)?;
    file.sync_all()?;
    // What the head says of the old file must not be lost with the power.
    place.sync_head()?;
    let parts = place.parts()?;
    let part = place.part_name();
    home.link_log(&parts, &part)?;
    if let Err(error) = home.replace_beside(&new_name, home.name()) {
        home.unlink_in(&parts, &part)?;
        return Err(error);
    }
    let tail = Tail {
        length: u64::try_from(line.len()).unwrap_or(u64::MAX),
        link,
    };
    Ok((file, tail))
}
