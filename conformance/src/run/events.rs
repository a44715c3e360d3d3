//! Everything that can happen, in one queue.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender};

use crate::wire::LONGEST_LINE;

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of the subject's standard output, without its end; and whether it had one.
    Line(Vec<u8>, bool),
    /// A line that is longer than the limit.
    TooLong,
    /// Standard output ended.
    End,
    /// Somebody connected to the approver's socket.
    Connected(Talk, UnixStream),
    /// A line on that connection.
    Asked(Talk, Vec<u8>),
    /// That connection ended.
    HungUp,
}

/// Names a connection: the socket's serial number and the connection's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Talk {
    pub(crate) socket: u64,
    pub(crate) number: u64,
}

pub(crate) type Queue = (Sender<Event>, Receiver<Event>);

/// Reads lines until the end, and says `made` of each.
pub(crate) fn read_lines(source: impl Read, mut made: impl FnMut(Event) -> bool) {
    let mut reader = BufReader::new(source);
    loop {
        let mut line = Vec::new();
        let limit = u64::try_from(LONGEST_LINE + 1).unwrap_or(u64::MAX);
        let read = reader.by_ref().take(limit).read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => break,
            Ok(_) if line.len() > LONGEST_LINE => Event::TooLong,
            Ok(_) => {
                let ended = line.last() == Some(&b'\n');
                if ended {
                    line.pop();
                }
                Event::Line(line, ended)
            }
        };
        let go_on = !matches!(event, Event::TooLong);
        if !made(event) || !go_on {
            break;
        }
    }
    made(Event::End);
}
