use std::fmt;
use std::ops::Range;

use portcullis_paths::{Operation, Place, Target};

use crate::{Risk, show};

/// What kind of thing a call would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EffectKind {
    /// Reads an object.
    Read,
    /// Lists names.
    List,
    /// Reads everything below a directory.
    Search,
    /// Writes or creates an object.
    Write,
    /// Removes names.
    Delete,
    /// Renames.
    Move,
    /// Makes a link.
    Link,
    /// Runs a program.
    Execute,
    /// Starts a sub-agent.
    Spawn,
    /// Talks to the network.
    Connect,
    /// Not understood; never allowed.
    Opaque,
}

impl EffectKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Read,
        Self::List,
        Self::Search,
        Self::Write,
        Self::Delete,
        Self::Move,
        Self::Link,
        Self::Execute,
        Self::Spawn,
        Self::Connect,
        Self::Opaque,
    ];

    /// What an operation on a path does. Looking at a name counts as reading, changing its mode as writing
    /// (R11: a right to read is not a right to change).
    #[must_use]
    pub fn of(operation: Operation) -> Self {
        match operation {
            Operation::Read
            | Operation::Stat
            | Operation::Lstat
            | Operation::ReadLink
            | Operation::CopyFrom => Self::Read,
            Operation::List => Self::List,
            Operation::Search => Self::Search,
            Operation::Write | Operation::CreateNew | Operation::MakeDir | Operation::SetMeta => Self::Write,
            Operation::Delete | Operation::DeleteTree => Self::Delete,
            Operation::MoveFrom | Operation::MoveTo => Self::Move,
            Operation::LinkTo | Operation::HardLinkFrom => Self::Link,
            Operation::WorkingDir => Self::Execute,
            _ => Self::Opaque,
        }
    }

    /// `read`, `list`, ... as rules and reports write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Search => "search",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Link => "link",
            Self::Execute => "execute",
            Self::Spawn => "spawn",
            Self::Connect => "connect",
            Self::Opaque => "opaque",
        }
    }

    /// The kind that [`EffectKind::word`] writes so; letter case matters.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// One thing the call would do, and how risky that is.
#[non_exhaustive]
pub struct Effect {
    /// What kind of thing.
    pub kind: EffectKind,
    /// The argument member it comes from, for example `path`.
    pub member: String,
    /// The simple command that has it, counted from 0 in the order in which a command text runs them; `None` for an effect
    /// that is not one of a command's parts.
    pub command: Option<usize>,
    /// The part of a command text that has it: the operand's word where that is known, else the simple command. `None` for
    /// an effect of the whole text, and of what is no command text.
    pub part: Option<Part>,
    /// The operand as written, escaped and bounded.
    pub operand: String,
    /// The resolved target; `None` for what is not a path and for a path that was refused.
    pub target: Option<Target>,
    /// The canonical place, also when the target was refused but its place is known.
    pub place: Option<Place>,
    /// The strictest risk of this effect alone.
    pub risk: Risk,
    /// What says what runs, when that stands in files; `None` for an effect that runs none.
    pub code: Option<Code>,
}

/// Where what an [`EffectKind::Execute`] runs is written down, when it is neither the call itself nor a program of the
/// system.
#[derive(Debug)]
#[non_exhaustive]
pub enum Code {
    /// The file that the effect is about.
    Target,
    /// These files of a project, held: those of them that are there.
    Files(Vec<Target>),
    /// It is not known which files say it.
    Unknown,
}

/// A part of one of the call's command texts, as [`Assessment::texts`](crate::Assessment::texts) shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Which text.
    pub text: usize,
    /// Where it stands there, in bytes.
    pub range: Range<usize>,
}

/// The target by its place alone, and that without the secrets in it.
impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_ref();
        f.debug_struct("Effect")
            .field("kind", &self.kind)
            .field("member", &self.member)
            .field("command", &self.command)
            .field("part", &self.part)
            .field("operand", &self.operand)
            .field("place", &place.map(|place| show::told(&place.to_string())))
            .field("is_held", &self.target.is_some())
            .field("risk", &self.risk)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_back_and_differ() {
        for kind in EffectKind::ALL {
            assert_eq!(EffectKind::by_word(kind.word()), Some(kind));
        }
        assert_eq!(EffectKind::by_word("READ"), None);
    }
}
