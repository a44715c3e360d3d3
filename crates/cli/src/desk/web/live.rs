use std::io::{self, Write};
use std::time::Duration;

use super::doors::{Doors, Visit};
use super::reply::ALWAYS;
use crate::desk::hall::Hall;

/// How often a word is said while nothing happens: it finds out whether the browser is still there.
const STILL_HERE: Duration = Duration::from_secs(10);

/// Says that something changed, whenever it does, until the browser goes or its visit ends.
pub(crate) fn follow(stream: &mut impl Write, visit: &Visit, doors: &Doors, hall: &Hall) -> io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\n{ALWAYS}Content-Type: text/event-stream\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    // The page may be older than the first look here.
    let mut seen = hall.at(|board, _| board.version());
    stream.write_all(event(seen).as_bytes())?;
    while doors
        .visit(&visit.place, &[&visit.cookie], hall.moment())
        .is_some()
    {
        let version = hall.wait(seen, STILL_HERE);
        let text = match version == seen {
            true => ":\n\n".to_owned(),
            false => event(version),
        };
        seen = version;
        stream.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn event(version: u64) -> String {
    format!("data: {version}\n\n")
}
