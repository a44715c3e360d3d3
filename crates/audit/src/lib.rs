//! What was decided, by whom, provably and without secrets?

mod digest;
mod error;
mod log;
mod reader;
mod record;
mod redact;

pub use digest::{KeyedDigest, RecordHash};
pub use error::{Error, ErrorKind};
pub use log::{Log, LogOptions, Opened, Receipt};
pub use reader::{Entry, Fault, Reader, Verification, verify};
pub use record::{
    Asked, CauseText, Decided, DecidedBy, Decision, Event, Finished, Outcome, RiskWord, Subject,
};
pub use redact::Redacted;
