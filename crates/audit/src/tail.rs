//! Where the chain ends, without reading all of it.

use std::fs::File;
use std::io::{self, BufReader, Read};

use crate::Fault;
use crate::chain::{After, Link};
use crate::disk;
use crate::line::LONGEST;
use crate::walk::{Met, Walk};

/// The end of the chain as last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    /// Bytes up to the end of the last good record.
    pub(crate) length: u64,
    pub(crate) link: Link,
}

/// What the end of the file holds.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The chain ends where the file ends.
    Clean(Tail),
    /// A write was cut short after the chain's end.
    Torn(Tail),
    /// The chain does not hold.
    Broken(Fault),
}

/// How many bytes are looked at in one step when searching backwards.
const STEP: u64 = 8 * 1024;

impl Tail {
    pub(crate) const EMPTY: Self = Self {
        length: 0,
        link: Link::START,
    };

    /// The end of a log of which nothing is known yet: its last records are checked, not all of it.
    pub(crate) fn find(file: &File, size: u64) -> io::Result<Ending> {
        match start_of_last_lines(file, size)? {
            Some(0) if size == 0 => Ok(Ending::Clean(Self::EMPTY)),
            Some(0) => walk(file, 0, size, After::Start),
            Some(start) => walk(file, start, size, After::Unknown),
            None => Ok(Ending::Broken(Fault {
                line: 0,
                part: None,
                what: "the last lines are longer than a record may be".to_owned(),
            })),
        }
    }

    /// The end after others have appended: everything new is checked.
    pub(crate) fn follow(self, file: &File, size: u64) -> io::Result<Ending> {
        let after = match self.length {
            0 => After::Start,
            _ => After::Record(self.link),
        };
        walk(file, self.length, size, after)
    }
}

fn walk(file: &File, start: u64, size: u64, after: After) -> io::Result<Ending> {
    let part = Part {
        file,
        offset: start,
        end: size,
    };
    let mut walk = Walk::new(BufReader::with_capacity(16 * 1024, part), after);
    loop {
        let met = walk.next()?;
        let link = walk.last().or((after == After::Start).then_some(Link::START));
        let tail = link.map(|link| Tail {
            length: start.saturating_add(walk.good_bytes()),
            link,
        });
        match (met, tail) {
            (Met::Record(_), _) => {}
            (Met::Torn, Some(tail)) => return Ok(Ending::Torn(tail)),
            (Met::End, Some(tail)) => return Ok(Ending::Clean(tail)),
            (Met::Fault(fault), _) => return Ok(Ending::Broken(fault)),
            (Met::Torn | Met::End, None) => {
                return Ok(Ending::Broken(Fault {
                    line: 0,
                    part: None,
                    what: "no whole record stands before the end".to_owned(),
                }));
            }
        }
    }
}

/// The start of a line with at least two whole lines from there on, or 0. A torn end may have any length, whole
/// lines only that of a record; `None` when one is longer.
fn start_of_last_lines(file: &File, size: u64) -> io::Result<Option<u64>> {
    let mut from = size;
    let mut ends = 0;
    let mut reach = None;
    while from > 0 {
        let to = from;
        from = to.saturating_sub(STEP);
        let mut chunk = Vec::new();
        Part {
            file,
            offset: from,
            end: to,
        }
        .read_to_end(&mut chunk)?;
        let mut first = None;
        for (at, _) in chunk.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            first = first.or(Some(at));
            ends += 1;
        }
        if let Some(at) = first {
            if ends >= 3 {
                return Ok(Some(from + u64::try_from(at).unwrap_or(0) + 1));
            }
            reach.get_or_insert(to);
        }
        let limit = 4 * u64::try_from(LONGEST).unwrap_or(u64::MAX);
        if reach.is_some_and(|reach| reach - from > limit) {
            return Ok(None);
        }
    }
    Ok(Some(0))
}

/// A part of a file as a stream, without moving the file's own position.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    pub(crate) file: &'a File,
    pub(crate) offset: u64,
    pub(crate) end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let wanted = bytes.len().min(left);
        let (wanted, _) = bytes.split_at_mut(wanted);
        let read = disk::read_at(self.file, wanted, self.offset)?;
        self.offset = self.offset.saturating_add(u64::try_from(read).unwrap_or(0));
        Ok(read)
    }
}
