//! The lines of the process protocol (PROTOCOL.md), read strictly.

mod message;
mod reason;
mod record;

pub use message::{
    Action, Answer, Ask, Call, Closed, Decision, Empty, FromRunner, FromSubject, Hello, Judged, Kind, Opened,
    Policy, PolicyEntry, Refused, Session, SubjectName, Trust, Withdrawn,
};
pub use message::{Open, SubjectHello, Verdict};
pub use reason::{REASONS, is_reason};
pub use record::{Event, Record};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line, its line feed included.
pub const LONGEST_LINE: usize = 1 << 20;
