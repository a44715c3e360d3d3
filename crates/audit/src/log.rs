use std::path::PathBuf;

use crate::{Error, Event, KeyedDigest, RecordHash};

/// An append-only log of records, shared safely by many processes.
#[derive(Debug)]
pub struct Log {}

/// Where a log lives and how it behaves.
#[derive(Debug, Clone)]
pub struct LogOptions {
    /// The log file; its key file stands beside it. The parent directory must exist.
    pub path: PathBuf,
    /// Longest wait for another process's lock, in milliseconds.
    pub lock_wait_ms: u64,
}

/// A log and what was found when it was opened.
#[derive(Debug)]
pub struct Opened {
    /// The log, ready to append.
    pub log: Log,
    /// A torn last line was cut off and kept aside in this file.
    pub torn: Option<PathBuf>,
}

/// Proof that a record is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// The record's sequence number.
    pub sequence: u64,
    /// The record's own hash.
    pub hash: RecordHash,
}

impl Log {
    /// Opens or creates the log (mode 0600), repairs a torn end, and reads or creates the digest key.
    ///
    /// # Errors
    /// `Place`, `Locked`, `Broken`, `Io`.
    pub fn open(options: LogOptions) -> Result<Opened, Error> {
        let _ = options;
        todo!()
    }
    /// Appends one record and returns when it is durable (fdatasync).
    ///
    /// `time_ms` is the caller's clock, milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// `Locked`, `Broken`, `TooLarge`, `Io`. After an error the record must be taken as not written.
    pub fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        let _ = (time_ms, event);
        todo!()
    }
    /// The keyed digest of a call's canonical arguments.
    #[must_use]
    pub fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        let _ = bytes;
        todo!()
    }
}
