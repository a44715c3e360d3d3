//! The desk's end of a gate's connection: one question, at most one answer.

use std::io::Write as _;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use portcullis::SystemClock;
use portcullis::desk::wire::{
    Answered, FromGate, Named, ToGate, Turned, TurnedWhy, Why, Withdrawn, line, read,
};

use super::board::Outlet;
use super::hall::Hall;
use super::lines::{Lines, Next};

/// How long a gate may take to say its question.
const TO_ASK: Duration = Duration::from_secs(5);
/// How long a gate may stay after its question is over.
const TO_GO: Duration = Duration::from_secs(5);
/// How often is looked whether the question is over while the gate says nothing.
const STEP: Duration = Duration::from_secs(1);

/// The way back to the gate.
struct Line(UnixStream);

impl Outlet for Line {
    fn deliver(&mut self, answer: &Answered) -> bool {
        self.0.write_all(&line(&ToGate::Answer(answer.clone()))).is_ok()
    }

    fn close(&mut self) {
        // Only this direction: the gate sees the end, and what it still says is not cut off.
        let _closed = self.0.shutdown(Shutdown::Write);
    }
}

/// Serves one connection to its end.
pub(crate) fn serve(stream: UnixStream, process: i32, hall: &Hall, clock: &SystemClock) -> Option<()> {
    let outlet = stream.try_clone().ok()?;
    let mut lines = Lines::new(stream, clock.clone()).ok()?;
    let asked = match lines.next(hall.moment().after(TO_ASK)) {
        Next::Line(text) => match read(&text) {
            Some(FromGate::Ask(asked)) => *asked,
            _ => return turn(&mut lines, TurnedWhy::Unreadable),
        },
        Next::Late | Next::End => return None,
    };
    let id = asked.id.clone();
    let waiting = line(&ToGate::Waiting(Named { id: id.clone() }));
    let put = hall.at(|board, now| {
        board.put(asked, process, Box::new(Line(outlet)), now)?;
        // Before anybody can answer: the board is held.
        if lines.send(&waiting).is_err() {
            board.withdraw(&id, None, now);
        }
        Ok(())
    });
    if let Err(why) = put {
        return turn(&mut lines, why);
    }
    let why = listen(&mut lines, &id, hall);
    hall.at(|board, now| board.withdraw(&id, why, now));
    Some(())
}

/// Stays until the gate goes or the question is over. Everything a gate can say now ends its question.
fn listen(lines: &mut Lines, id: &str, hall: &Hall) -> Option<Why> {
    let is_open = || hall.at(|board, _| board.open().iter().any(|open| open.asked.id == id));
    while is_open() {
        match lines.next(hall.moment().after(STEP)) {
            Next::Late => {}
            Next::End => return None,
            Next::Line(text) => {
                return match read(&text) {
                    Some(FromGate::Withdraw(Withdrawn { id: named, why })) if named == id => Some(why),
                    _ => None,
                };
            }
        }
    }
    let _goes = lines.next(hall.moment().after(TO_GO));
    None
}

fn turn(lines: &mut Lines, why: TurnedWhy) -> Option<()> {
    lines.send(&line(&ToGate::Refused(Turned { why }))).ok()
}
