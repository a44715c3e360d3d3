use std::path::Path;

use crate::Error;

/// One record as read back: the exact line and its parsed fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Line number, from 1.
    pub line: u64,
    /// The parsed record.
    pub value: serde_json::Value,
}

/// Reads a log record by record, checking the chain as it goes.
#[derive(Debug)]
pub struct Reader {}

impl Reader {
    /// Opens a log for reading; takes no lock.
    ///
    /// # Errors
    /// `Place`, `Io`.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let _ = path;
        todo!()
    }
}

impl Iterator for Reader {
    type Item = Result<Entry, Fault>;
    fn next(&mut self) -> Option<Self::Item> {
        todo!()
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
    /// Decisions that permitted a call and have no outcome yet, by sequence number.
    pub open_decisions: Vec<u64>,
}

/// Checks a whole log.
///
/// # Errors
/// `Place`, `Io`.
pub fn verify(path: &Path) -> Result<Verification, Error> {
    let _ = path;
    todo!()
}
