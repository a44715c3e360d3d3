use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::chain::{Link, Matters};
use crate::walk::{Met, Walk};
use crate::{Entry, Error, disk};

/// Reads a log record by record, checking the chain as it goes.
///
/// Ends at the first fault, after having returned it. A torn end is no fault: see [`Reader::torn`].
#[derive(Debug)]
pub struct Reader {
    walk: Walk<BufReader<File>>,
    done: bool,
    torn: bool,
}

impl Reader {
    /// Opens a log for reading; takes no lock.
    ///
    /// # Errors
    /// `Place`, `Io`.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            walk: open_walk(path)?,
            done: false,
            torn: false,
        })
    }

    /// True once the end was reached and the last line has no end: a crash while writing, or a record that is just
    /// being written.
    #[must_use]
    pub fn torn(&self) -> bool {
        self.torn
    }

    fn stop<T>(&mut self, what: Option<T>) -> Option<T> {
        self.done = true;
        what
    }

    fn fault(&self, what: impl Into<String>) -> Fault {
        Fault {
            line: self.walk.number(),
            what: what.into(),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Entry, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        match self.walk.next() {
            Ok(Met::Record(_)) => match serde_json::from_slice(self.walk.line()) {
                Ok(value) => Some(Ok(Entry {
                    line: self.walk.number(),
                    value,
                })),
                Err(_) => {
                    let fault = self.fault("it is not one JSON object");
                    self.stop(Some(Err(fault)))
                }
            },
            Ok(Met::Torn) => {
                self.torn = true;
                self.stop(None)
            }
            Ok(Met::End) => self.stop(None),
            Ok(Met::Fault(fault)) => self.stop(Some(Err(fault))),
            Err(error) => {
                let fault = self.fault(format!("what follows cannot be read: {error}"));
                self.stop(Some(Err(fault)))
            }
        }
    }
}

/// A place where the log is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Fault {
    /// Line number, from 1.
    pub line: u64,
    /// One sentence.
    pub what: String,
}

/// What a check of the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Records whose chain holds, from the first.
    pub good: u64,
    /// The first fault; `None` when the whole log is good.
    pub fault: Option<Fault>,
    /// The last line has no end (a crash while writing): reported, not a broken chain.
    pub torn: bool,
    /// Decisions that permitted a call and have no outcome yet, by sequence number; as far as the chain holds.
    pub open_decisions: Vec<u64>,
}

/// Checks a whole log in one pass and bounded memory.
///
/// # Errors
/// `Place`, `Io`.
pub fn verify(path: &Path) -> Result<Verification, Error> {
    let mut walk = open_walk(path)?;
    let mut good = 0;
    let mut open = BTreeSet::new();
    let (fault, torn) = loop {
        match walk.next() {
            Ok(Met::Record(seen)) => {
                good += 1;
                match seen.matters {
                    Matters::Permitted => {
                        open.insert(seen.link.sequence);
                    }
                    Matters::Finished(decision) => {
                        open.remove(&decision);
                    }
                    Matters::No => {}
                }
            }
            Ok(Met::Fault(fault)) => break (Some(fault), false),
            Ok(Met::Torn) => break (None, true),
            Ok(Met::End) => break (None, false),
            Err(error) => return Err(Error::io(path, "cannot be read", error)),
        }
    };
    Ok(Verification {
        good,
        fault,
        torn,
        open_decisions: open.into_iter().collect(),
    })
}

fn open_walk(path: &Path) -> Result<Walk<BufReader<File>>, Error> {
    let file = disk::open_to_read(path)?;
    Ok(Walk::new(
        BufReader::with_capacity(64 * 1024, file),
        Some(Link::START),
    ))
}
