use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::digest::DigestKey;
use crate::disk::Home;
use crate::line::{Body, LONGEST};
use crate::place::Place;
use crate::queue::Queue;
use crate::writer::Writer;
use crate::{Checkpoint, Error, ErrorKind, Event, KeyedDigest, RecordHash, sealing};

/// An append-only log of records, shared safely by many threads and processes.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    queue: Queue,
    key: DigestKey,
}

/// Where a log lives and how it behaves.
#[derive(Debug, Clone)]
pub struct LogOptions {
    /// The log file; what belongs to it stands beside it. The parent directory must exist, and only its owner should be
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
    /// Opens or creates the log (mode 0600), repairs a torn end, and reads or creates the digest key and the head.
    ///
    /// Checks the last records and that none is missing behind them, so that opening costs the same however long the
    /// log is; [`verify`](crate::verify()) checks all of them.
    ///
    /// # Errors
    /// `Place`, `Locked`, `Broken`, `Io`.
    pub fn open(options: LogOptions) -> Result<Opened, Error> {
        let home = Home::new(&options.path)?;
        let place = Place::open(home, Duration::from_millis(options.lock_wait_ms))?;
        let torn = place.torn.first().cloned();
        let log = Self {
            path: options.path,
            key: place.key.clone(),
            queue: Queue::new(Writer::new(place)),
        };
        Ok(Opened { log, torn })
    }

    /// Lets the log go over to a new file whenever it has this many bytes or more; the old one is kept as an earlier
    /// part in `<log>.d`, and the chain goes on. Without this the log stays one file, unless another process has said
    /// so. Where the file system cannot do it, the log grows on: size is no reason to refuse.
    #[must_use]
    pub fn rotating_at(self, bytes: u64) -> Self {
        if let Ok(mut writer) = self.queue.writer(&self.path) {
            writer.rotate_at = Some(bytes);
        }
        self
    }

    /// Appends one record and returns when it is durable (fdatasync). Records of several threads that wait at the same
    /// time share one sync.
    ///
    /// `time_ms` is the caller's clock, milliseconds since the Unix epoch. Order is the chain's, whatever clocks say.
    ///
    /// # Errors
    /// `Place`, `Locked`, `Broken`, `TooLarge`, `Io`. After an error the record must be taken as not written.
    pub fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        let body = Body::of(time_ms, event).ok_or_else(|| {
            let what = format!("takes no record longer than {LONGEST} bytes");
            Error::new(ErrorKind::TooLarge, &self.path, what)
        })?;
        self.queue.append(&self.path, body, time_ms)
    }

    /// Goes over to a new file now; false when there is no record to keep yet.
    ///
    /// # Errors
    /// As [`Log::append`].
    pub fn rotate(&self, time_ms: i64) -> Result<bool, Error> {
        self.queue.writer(&self.path)?.rotate(time_ms)
    }

    /// Signs where the log ends now, with the key beside the log, which is made when there is none. The checkpoint is
    /// kept beside the log, too; kept elsewhere, it proves later that nothing up to here was changed or cut off.
    /// `None` for a log without a record.
    ///
    /// # Errors
    /// As [`Log::append`].
    pub fn seal(&self, time_ms: i64) -> Result<Option<Checkpoint>, Error> {
        let mut writer = self.queue.writer(&self.path)?;
        let _held = writer.place.arrive()?;
        sealing::seal(&writer.place, time_ms)
    }

    /// The keyed digest of a call's canonical arguments.
    #[must_use]
    pub fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        self.key.digest(bytes)
    }

    /// The file that is appended to.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every torn end that this log has cut off and kept aside, when it was opened and since: another process may
    /// die in the middle of a write at any time.
    #[must_use]
    pub fn torn(&self) -> Vec<PathBuf> {
        match self.queue.writer(&self.path) {
            Ok(writer) => writer.place.torn.clone(),
            Err(_) => Vec::new(),
        }
    }
}
