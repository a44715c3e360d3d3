//! A log on the disk, and the same bytes without one.
#![expect(clippy::disallowed_methods, reason = "benches build their own files")]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::sync::Mutex;
use std::time::Instant;

use portcullis_audit::{
    Decided, DecidedBy, Decision, Event, Log, LogOptions, Redacted, RiskWord, Subject, verify,
};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

/// A log, and a plain file beside it that gets lines of the same length.
#[derive(Debug)]
pub struct Book {
    tree: TempDir,
    log: Log,
    event: Event,
    plain: Mutex<File>,
    line: Vec<u8>,
}

impl Book {
    /// A log with one record.
    #[expect(clippy::new_without_default, reason = "it makes files")]
    #[must_use]
    pub fn new() -> Self {
        let tree = tempfile::tempdir().expect("a temporary directory");
        let path = tree.path().join("audit.jsonl");
        let options = LogOptions {
            path: path.clone(),
            lock_wait_ms: 60_000,
        };
        let log = Log::open(options).expect("a new log").log;
        let event = event(&log);
        log.append(NOW, &event).expect("a record");
        let line = std::fs::read(&path).expect("the record's line");
        let plain = File::create(tree.path().join("plain")).expect("a file");
        Self {
            tree,
            log,
            event,
            plain: Mutex::new(plain),
            line,
        }
    }

    /// One record, durable.
    pub fn append(&self) {
        self.log.append(NOW, &self.event).expect("a record");
    }

    /// As many bytes, durable.
    pub fn raw(&self) {
        let mut plain = self.plain.lock().expect("no thread panics");
        plain.write_all(&self.line).expect("room");
        plain.sync_data().expect("a disk");
    }

    /// So many threads that do it so many times each.
    pub fn many(&self, threads: usize, times: usize, what: fn(&Self)) {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| (0..times).for_each(|_| what(self)));
            }
        });
    }

    /// Makes the log so many records long, without waiting for the disk each time.
    pub fn fill(&self, records: usize) {
        self.many(16, records / 16, Self::append);
    }

    /// Reads the log and hashes it, as the least that a check could do.
    pub fn read_and_hash(&self) {
        let mut file = File::open(self.log.path()).expect("the log");
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 256 * 1024];
        loop {
            let read = file.read(&mut buffer).expect("its bytes");
            if read == 0 {
                break;
            }
            hash.update(buffer.get(..read).unwrap_or_default());
        }
        std::hint::black_box(hash.finalize());
    }

    /// Checks the log.
    pub fn verify(&self) {
        let found = verify(self.log.path()).expect("the log");
        assert_eq!(found.fault, None, "it is whole");
    }

    /// Millions of bytes that are checked in a second.
    #[must_use]
    pub fn speed(&self) -> u64 {
        let length = std::fs::metadata(self.tree.path().join("audit.jsonl")).map_or(0, |found| found.len());
        let start = Instant::now();
        self.verify();
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        length / micros.max(1)
    }
}

const NOW: i64 = 1_796_032_800_123;

fn event(log: &Log) -> Event {
    let subject = Subject {
        session: Some(Redacted::id("session-1")),
        call: Redacted::id("call-1"),
        agent: None,
        tool: Redacted::text("write_file"),
        operations: vec![Redacted::fixed("write")],
        resources: vec![Redacted::text("/home/ann/app/src/lib.rs")],
        risk: RiskWord::Allow,
        causes: Vec::new(),
        policy: Redacted::id("9f86d081884c7d65"),
        arguments: log.digest(b"the canonical arguments"),
        summary: Redacted::text("write src/lib.rs"),
    };
    Event::Decided(Decided {
        subject,
        decision: Decision::Permitted,
        by: DecidedBy::Policy,
    })
}
