use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use crate::digest::DigestKey;
use crate::disk::Home;
use crate::writer::Writer;
use crate::{Error, ErrorKind, Event, KeyedDigest, RecordHash};

/// An append-only log of records, shared safely by many threads and processes.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    writer: Mutex<Writer>,
    key: DigestKey,
}

/// Where a log lives and how it behaves.
#[derive(Debug, Clone)]
pub struct LogOptions {
    /// The log file; its key file stands beside it. The parent directory must exist, and only its owner should be
    /// able to write to it. Best absolute: then a directory that is swapped for another is noticed as well.
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
    /// The record's sequence number, from 1.
    pub sequence: u64,
    /// The record's own hash.
    pub hash: RecordHash,
}

impl Log {
    /// Opens or creates the log (mode 0600), repairs a torn end, and reads or creates the digest key.
    ///
    /// Checks the last records only, so that opening costs the same however long the log is;
    /// [`verify`](crate::verify) checks all of them.
    ///
    /// # Errors
    /// `Place`, `Locked`, `Broken`, `Io`.
    pub fn open(options: LogOptions) -> Result<Opened, Error> {
        let home = Home::new(&options.path)?;
        let (writer, key) = Writer::open(home, Duration::from_millis(options.lock_wait_ms))?;
        let torn = writer.torn().first().cloned();
        let log = Self {
            path: options.path,
            writer: Mutex::new(writer),
            key,
        };
        Ok(Opened { log, torn })
    }

    /// Appends one record and returns when it is durable (fdatasync).
    ///
    /// `time_ms` is the caller's clock, milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// `Place`, `Locked`, `Broken`, `TooLarge`, `Io`. After an error the record must be taken as not written.
    pub fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        match self.writer.lock() {
            Ok(mut writer) => writer.append(time_ms, event),
            Err(_) => Err(Error::new(
                ErrorKind::Io,
                &self.path,
                "was left in an unknown state by a thread that panicked",
            )),
        }
    }

    /// The keyed digest of a call's canonical arguments.
    #[must_use]
    pub fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        self.key.digest(bytes)
    }

    /// Every torn end that this log has cut off and kept aside, when it was opened and since: another process may
    /// die in the middle of a write at any time.
    #[must_use]
    pub fn torn(&self) -> Vec<PathBuf> {
        match self.writer.lock() {
            Ok(writer) => writer.torn().to_vec(),
            Err(_) => Vec::new(),
        }
    }
}
