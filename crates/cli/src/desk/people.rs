//! The desk's end of a connection of a person's program.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use portcullis::SystemClock;
use portcullis::desk::wire::{Asked, FromPerson, LONGEST_LINE, Link, Named, NotTaken, ToPerson, line, read};

use super::board::By;
use super::hall::Hall;
use super::lines::{Lines, Next};
use super::web::Doors;

/// How long a program may say nothing.
const IDLE: Duration = Duration::from_secs(30);

/// Serves one connection to its end.
pub(crate) fn serve(
    stream: UnixStream,
    hall: &Hall,
    doors: Option<&Doors>,
    clock: &SystemClock,
) -> Option<()> {
    let mut lines = Lines::new(stream, clock.clone()).ok()?;
    while let Next::Line(text) = lines.next(hall.moment().after(IDLE)) {
        let reply = match read(&text)? {
            FromPerson::List(_) => ToPerson::Questions(questions(hall)),
            FromPerson::Answer(answer) => {
                match hall.at(|board, now| board.answer(&answer, By::Script, now)) {
                    Ok(()) => ToPerson::Taken(Named { id: answer.id }),
                    Err(why) => ToPerson::NotTaken(NotTaken { id: answer.id, why }),
                }
            }
            FromPerson::Link(_) => ToPerson::Link(Link {
                url: doors.and_then(|doors| doors.link(hall.moment())),
            }),
        };
        lines.send(&line(&reply)).ok()?;
    }
    Some(())
}

/// As many as fit into one line, oldest first.
fn questions(hall: &Hall) -> Vec<Asked> {
    let mut asked: Vec<Asked> = hall.at(|board, now| {
        let open = board.open().iter();
        open.map(|open| open.asked_at(now.moment)).collect()
    });
    while line(&ToPerson::Questions(asked.clone())).len() > LONGEST_LINE {
        asked.pop();
    }
    asked
}
