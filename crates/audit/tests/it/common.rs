//! What the tests of the log share.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scene fails")]

use std::path::{Path, PathBuf};

use portcullis_audit::{
    Asked, CauseText, Decided, DecidedBy, Decision, Event, Finished, KeyedDigest, Log, LogOptions, Opened,
    Outcome, Redacted, RiskWord, Subject,
};

/// A point in time: 2026-11-30T10:00:00.123Z.
pub(crate) const NOW: i64 = 1_796_032_800_123;

/// A fresh directory and the path of a log in it.
pub(crate) fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("audit.jsonl");
    (directory, path)
}

pub(crate) fn options(path: &Path) -> LogOptions {
    LogOptions {
        path: path.to_owned(),
        lock_wait_ms: 20_000,
    }
}

pub(crate) fn open(path: &Path) -> Opened {
    Log::open(options(path)).unwrap()
}

pub(crate) fn subject(call: &str) -> Subject {
    Subject {
        session: Some(Redacted::id("s-1")),
        call: Redacted::id(call),
        agent: None,
        tool: Redacted::text("delete_file"),
        operations: vec![Redacted::fixed("delete")],
        resources: vec![Redacted::text("/w/build/cache")],
        risk: RiskWord::Confirm,
        causes: vec![CauseText {
            rule: Redacted::text("delete-asks"),
            layer: Redacted::text("builtin"),
        }],
        policy: Redacted::id("p-1"),
        arguments: KeyedDigest::from_bytes([0xab; 32]),
        summary: Redacted::text("delete build/cache"),
    }
}

pub(crate) fn asked(call: &str) -> Event {
    Event::Asked(Asked {
        subject: subject(call),
        deadline_ms: 300_000,
    })
}

pub(crate) fn decided(call: &str, decision: Decision) -> Event {
    Event::Decided(Decided {
        subject: subject(call),
        decision,
        by: DecidedBy::Human,
    })
}

pub(crate) fn permitted(call: &str) -> Event {
    decided(call, Decision::Permitted)
}

pub(crate) fn finished(call: &str, decision: u64, outcome: Outcome) -> Event {
    Event::Finished(Finished {
        session: Some(Redacted::id("s-1")),
        call: Redacted::id(call),
        decision,
        outcome,
    })
}
