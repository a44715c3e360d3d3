//! The lines of the process protocol (PROTOCOL.md), read strictly.

mod desk;
mod message;
mod policy;
mod reason;
mod record;

pub use desk::{Desk, DeskWord, Seen, Standing};
pub use message::{
    Action, Answer, Ask, Call, Closed, Decision, Done, Empty, FromRunner, FromSubject, Hello, Judged, Kind,
    Opened, Refused, Session, SubjectName, User, Withdrawn,
};
pub use message::{Open, SubjectHello, Verdict};
pub use policy::{Deed, Elsewhere, Level, Names, Policy, PolicyEntry, Program, Run, Stage, Trust};
pub use reason::{REASONS, is_reason};
pub use record::{Event, Record};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line, its line feed included.
pub const LONGEST_LINE: usize = 1 << 20;
