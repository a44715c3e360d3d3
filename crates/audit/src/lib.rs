//! Records every decision before its effect, in a chain of hashes, without secrets.

mod chain;
mod digest;
mod disk;
mod entry;
mod error;
mod key;
mod line;
mod lines;
mod lock;
mod log;
mod reader;
mod record;
mod redact;
mod tail;
mod torn;
mod walk;
mod writer;

pub use digest::{KeyedDigest, RecordHash};
pub use entry::Entry;
pub use error::{Error, ErrorKind};
pub use log::{Log, LogOptions, Opened, Receipt};
pub use reader::{Fault, Reader, Verification, verify};
pub use record::{
    Asked, CauseText, Decided, DecidedBy, Decision, Event, Finished, Outcome, RiskWord, Subject,
};
pub use redact::Redacted;
