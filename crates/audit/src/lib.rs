//! Records every decision before its effect, in a chain of hashes, and without secrets.
//!
//! [`Log::append`] returns when the record is durable; after an error the record counts as not written, and a gate
//! that cannot record refuses. Any number of threads and processes share one log, and records that wait at the same time
//! share one sync. A crash leaves at most one torn line at its end, which the next writer keeps aside and cuts off.
//! [`Log::rotating_at`] lets a log go over to new files; the chain goes on. [`reconcile()`] holds decisions and outcomes
//! against each other.
//!
//! # What this does not protect against
//!
//! - Whoever may write the whole directory as its owner can write a new chain with head and key, or put an older state of
//!   all of it back: hashes and a head beside the log prove that nothing was changed or cut off by less than that. Keep
//!   what [`Log::seal`] gives elsewhere, and [`verify_against`] proves the rest.
//! - The head is not synced with every record: after a power cut it may lag behind, and then the end that was cut off
//!   before the next record is not missed.
//! - [`Log::open`] checks the last records and the head only; [`verify()`] checks them all.
//! - [`Redacted`] knows the shapes of secrets, not their meaning. What looks like an ordinary word is kept.
//! - The digest key stands beside the log: it keeps short arguments from being guessed by those who have the log
//!   alone.
//! - Processes that do not take part in the lock, and file systems on which `flock` or `fdatasync` do nothing.
//!
//! # Example
//!
//! ```
//! use portcullis_audit::*;
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("audit.jsonl");
//! let log = Log::open(LogOptions { path: path.clone(), lock_wait_ms: 2_000 })?.log;
//!
//! let subject = Subject {
//!     session: None,
//!     call: Redacted::id("call-1"),
//!     agent: None,
//!     tool: Redacted::text("run_command"),
//!     operations: vec![Redacted::fixed("execute")],
//!     resources: vec![],
//!     risk: RiskWord::Confirm,
//!     causes: vec![],
//!     policy: Redacted::id("3f2a"),
//!     arguments: log.digest(b"the canonical arguments"),
//!     summary: Redacted::text("curl https://ann:hunter2@example.com"),
//! };
//! let event = Event::Decided(Decided { subject, decision: Decision::Permitted, by: DecidedBy::Human });
//! let receipt = log.append(1_796_032_800_000, &event)?;
//! assert_eq!(receipt.sequence, 1);
//!
//! // The effect may start now. Until its outcome is recorded, the decision is open.
//! assert_eq!(verify(&path)?.open_decisions, [1]);
//! let entry = Reader::open(&path)?.next().unwrap()?;
//! assert_eq!(entry.text("summary"), Some("curl https://***@example.com"));
//! assert_eq!(
//!     entry.to_string(),
//!     "2026-11-30T10:00:00.000Z     1 permitted      run_command execute by human (call call-1)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//!
//! JSON lines, one object each without spaces, its members in a fixed order:
//!
//! ```text
//! {"v":1,"seq":N,"time":"...","kind":"asked|decided|finished",...,"prev":"<64 digits>","hash":"<64 digits>"}
//! ```
//!
//! `seq` counts from 1 without holes. `hash` is SHA-256, in lower-case hexadecimal, over the line's bytes from the
//! first `{` up to, and without, `,"hash":`. `prev` is the `hash` of the line before, and 64 zeros in the first
//! line. `time` is RFC 3339 in UTC with milliseconds. A line is at most 64 KiB long, its line feed included. Members
//! that a kind of record has are always there, `null` when there is nothing to say:
//!
//! - `asked` and `decided`: `session`, `call`, `agent`, `tool`, `operations`, `resources`, `risk`,
//!   `causes` (each `{"rule","layer"}`), `policy`, `args` (HMAC-SHA-256 under the log's key), `summary`;
//! - `asked` also: `deadline_ms`;
//! - `decided` also: `decision` (`permitted`, `handed_to_host`, `refused`), `by` (`policy`, `human`, `reviewer`,
//!   `grant`, `nobody`), `refusal` (its code);
//! - `finished`: `session`, `call`, `decision_seq` (the decision's `seq`), `outcome` (`done`, `failed`, `changed`,
//!   `unused`), `reason`;
//! - `continued`: `part` (the last `seq` of the file before), and nothing else: the first line of every file but the first.
//!
//! A reader accepts members and kinds of version 1 that it does not know, and no other version. Beside the log, all of
//! mode 0600:
//!
//! | name | what |
//! |---|---|
//! | `<log>.key` | the key that arguments are digested under, and that seals the head |
//! | `<log>.head` | how long the log was: written after each record, checked before the next process appends |
//! | `<log>.d/from-<seq>.jsonl` | earlier files, named by their first record |
//! | `<log>.torn-<seq>` | ends that a crash cut short |
//! | `<log>.seal.key`, `<log>.seals` | the key that signs checkpoints, and those that it signed |
//!
//! Most programs want the facade, `portcullis`, instead of this crate.

mod chain;
mod checkpoint;
mod digest;
mod disk;
mod entry;
mod error;
mod export;
mod filter;
mod head;
mod key;
mod line;
mod lines;
mod lock;
mod log;
mod own_file;
mod parts;
mod place;
mod queue;
mod reader;
mod reconcile;
mod record;
mod redact;
mod rotate;
mod sealing;
mod stats;
mod tail;
mod torn;
mod verify;
mod walk;
mod writer;

pub use checkpoint::{Checkpoint, CheckpointError, PublicKey};
pub use digest::{KeyedDigest, RecordHash};
pub use entry::Entry;
pub use error::{Error, ErrorKind};
pub use export::{Export, Format};
pub use filter::{Filter, Selection};
pub use line::rfc3339;
pub use log::{Log, LogOptions, Opened, Receipt};
pub use own_file::OwnFile;
pub use reader::{Fault, Reader};
pub use reconcile::{Finishes, Reconciliation, reconcile};
pub use record::{
    Asked, CauseText, Decided, DecidedBy, Decision, Event, Finished, Outcome, RiskWord, Subject,
};
pub use redact::Redacted;
pub use stats::Stats;
pub use verify::{Verification, verify, verify_against};
