use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use portcullis::desk::wire::{FromPerson, ToPerson, line, read};
use portcullis::desk::{PEOPLE, Room};
use portcullis::{Clock as _, SystemClock};

use super::lines::{Lines, Next};
use crate::failure::Failure;

/// How long a desk may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A person's end of a connection with the desk.
pub(crate) struct Person {
    lines: Lines,
    clock: SystemClock,
}

impl Person {
    /// Connects to the desk there, when it is this user's.
    pub(crate) fn meet(place: &Path) -> Result<Self, Failure> {
        let socket = Room::open(place)
            .and_then(|room| room.connect(PEOPLE))
            .map_err(|trouble| Failure::fault(trouble.to_string(), "start one with `portcullis desk`"))?;
        let clock = SystemClock::new();
        let lines = Lines::new(UnixStream::from(socket), clock.clone());
        Ok(Self {
            lines: lines.map_err(|_| not_understood())?,
            clock,
        })
    }

    /// Says one line and hears one.
    pub(crate) fn say(&mut self, message: &FromPerson) -> Result<ToPerson, Failure> {
        self.lines.send(&line(message)).map_err(|_| not_understood())?;
        match self.lines.next(self.clock.now().after(PATIENCE)) {
            Next::Line(text) => read(&text).ok_or_else(not_understood),
            Next::Late | Next::End => Err(not_understood()),
        }
    }
}

/// The desk did not say what a desk says.
pub(crate) fn not_understood() -> Failure {
    Failure::fault(
        "the desk gives no answer that can be understood",
        "close it and start it again",
    )
}
