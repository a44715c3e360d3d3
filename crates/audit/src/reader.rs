use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::chain::{After, Link, Matters, Seen};
use crate::parts::{self, OneFile};
use crate::walk::{Met, Walk};
use crate::{Entry, Error};

/// Bytes that are read at once.
const BUFFER: usize = 256 * 1024;

/// Reads a log record by record, its earlier parts first, checking the chain as it goes.
///
/// Ends at the first fault, after having returned it. A torn end is no fault: see [`Reader::torn`].
#[derive(Debug)]
pub struct Reader {
    chain: Chain,
    done: bool,
}

impl Reader {
    /// Opens a log for reading; takes no lock.
    ///
    /// # Errors
    /// `Place`, `Io`.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            chain: Chain::open(path)?,
            done: false,
        })
    }

    /// True once the end was reached and the last line has no end: a crash while writing, or a record that is just
    /// being written.
    #[must_use]
    pub fn torn(&self) -> bool {
        self.chain.torn
    }
}

impl Iterator for Reader {
    type Item = Result<Entry, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = match self.chain.next() {
            Ok(Some(_)) => match serde_json::from_slice(self.chain.line()) {
                Ok(value) => Ok(Entry {
                    line: self.chain.number(),
                    value,
                }),
                Err(_) => Err(self.chain.fault("it is not one JSON object".to_owned())),
            },
            Ok(None) => {
                self.done = true;
                return None;
            }
            Err(fault) => Err(fault),
        };
        self.done = next.is_err();
        Some(next)
    }
}

/// A place where the log is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line number in its file, from 1.
    pub line: u64,
    /// The earlier part that it is in; `None` for the log's own file.
    pub part: Option<PathBuf>,
    /// One sentence.
    pub what: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, part, what } = self;
        match part.as_ref().and_then(|part| part.file_name()) {
            None => write!(f, "line {line}: {what}"),
            Some(part) => {
                let part = crate::redact::escape(part.as_encoded_bytes());
                write!(f, "line {line} of the part `{part}`: {what}")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Walks the chain through all files of a log.
#[derive(Debug)]
pub(crate) struct Chain {
    walk: Walk<BufReader<File>>,
    part: Option<PathBuf>,
    /// The sequence number that the present file has to begin with, when its name says so.
    named: Option<u64>,
    left: VecDeque<OneFile>,
    pub(crate) torn: bool,
    /// The first record met.
    pub(crate) first: Option<u64>,
    /// The last record met.
    pub(crate) last: Link,
}

impl Chain {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let mut left = VecDeque::from(parts::open(path)?);
        let Some(begin) = left.pop_front() else {
            return Err(Error::place(path, "does not exist"));
        };
        Ok(Self {
            walk: walk(begin.file, After::Start),
            named: begin.first,
            part: (!left.is_empty()).then_some(begin.path),
            left,
            torn: false,
            first: None,
            last: Link::START,
        })
    }

    /// The text of the line met last.
    pub(crate) fn line(&self) -> &[u8] {
        self.walk.line()
    }

    fn number(&self) -> u64 {
        self.walk.number()
    }

    pub(crate) fn fault(&self, what: String) -> Fault {
        Fault {
            line: self.walk.number(),
            part: self.part.clone(),
            what,
        }
    }

    /// The next record; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Seen>, Fault> {
        loop {
            match self.walk.next() {
                Ok(Met::Record(seen)) => return self.record(seen).map(Some),
                Ok(Met::Fault(fault)) => {
                    return Err(Fault {
                        part: self.part.clone(),
                        ..fault
                    });
                }
                // The last record of an earlier part was whole before the log went on.
                Ok(Met::Torn) if !self.left.is_empty() => {
                    return Err(self.fault("it has no end".to_owned()));
                }
                Ok(Met::Torn) => {
                    self.torn = true;
                    return Ok(None);
                }
                Ok(Met::End) => match self.left.pop_front() {
                    None => return Ok(None),
                    Some(next) => self.go_on(next),
                },
                Err(error) => {
                    return Err(self.fault(format!("what follows cannot be read: {error}")));
                }
            }
        }
    }

    fn go_on(&mut self, next: OneFile) {
        self.walk = walk(next.file, After::Record(self.last));
        self.named = next.first;
        self.part = (!self.left.is_empty()).then_some(next.path);
    }

    fn record(&mut self, seen: Seen) -> Result<Seen, Fault> {
        if self.walk.number() == 1 {
            if self.named.is_some_and(|named| named != seen.link.sequence) {
                return Err(self.fault("it is not the record that the file's name says".to_owned()));
            }
            if self.first.is_some() && seen.matters != Matters::Continued {
                return Err(self.fault("it does not carry on an earlier part".to_owned()));
            }
        }
        self.first.get_or_insert(seen.link.sequence);
        self.last = seen.link;
        Ok(seen)
    }
}

fn walk(file: File, after: After) -> Walk<BufReader<File>> {
    Walk::new(BufReader::with_capacity(BUFFER, file), after)
}
