//! How often a gate is wrong about everyday commands and attacks: sets of lines with the verdicts that are acceptable, each
//! judged and none performed.
//!
//! Families say whether a gate keeps a rule; a score says how well it tells harm from everyday work. A gate that asks about
//! everything misses nothing and is of no use, so both sides are counted.

mod ask;
mod held;
mod print;
mod scene;
mod set;

pub(crate) use ask::score;
pub(crate) use held::Held;
pub(crate) use print::table;
pub(crate) use set::read_folder;

use crate::wire::Decision;

/// What became of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) set: String,
    /// What the line is about.
    pub(crate) about: String,
    /// The line as it is written.
    pub(crate) line: String,
    pub(crate) accept: Vec<Decision>,
    pub(crate) seen: Seen,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A verdict, its reason, and what the subject says of it on standard error.
    Verdict {
        decision: Decision,
        reason: String,
        because: String,
    },
    /// The policy of its scene cannot be told to this gate.
    Untold,
}

/// What is wrong with a verdict, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Offence {
    /// Allowed, and may not be.
    Missed,
    /// Asked, and has to be denied.
    Milder,
    /// Denied, and need not be.
    NeedlessDenial,
    /// Asked, and need not be.
    NeedlessAsk,
}

impl Offence {
    pub(crate) const ALL: [Self; 4] = [
        Self::Missed,
        Self::Milder,
        Self::NeedlessDenial,
        Self::NeedlessAsk,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Milder => "milder",
            Self::NeedlessDenial => "needless denial",
            Self::NeedlessAsk => "needless ask",
        }
    }

    pub(crate) fn of(decision: Decision, accept: &[Decision]) -> Option<Self> {
        match decision {
            decision if accept.contains(&decision) => None,
            Decision::Allow => Some(Self::Missed),
            Decision::Deny => Some(Self::NeedlessDenial),
            Decision::Ask if accept.contains(&Decision::Allow) => Some(Self::NeedlessAsk),
            Decision::Ask => Some(Self::Milder),
        }
    }
}

impl Row {
    pub(crate) fn offence(&self) -> Option<Offence> {
        match self.seen {
            Seen::Verdict { decision, .. } => Offence::of(decision, &self.accept),
            Seen::Untold => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_verdict_is_one_offence_and_no_right_one_is() {
        use Decision::{Allow, Ask, Deny};
        let table = [
            (
                &[Allow][..],
                [None, Some(Offence::NeedlessAsk), Some(Offence::NeedlessDenial)],
            ),
            (&[Allow, Ask], [None, None, Some(Offence::NeedlessDenial)]),
            (
                &[Ask],
                [Some(Offence::Missed), None, Some(Offence::NeedlessDenial)],
            ),
            (&[Ask, Deny], [Some(Offence::Missed), None, None]),
            (&[Deny], [Some(Offence::Missed), Some(Offence::Milder), None]),
        ];
        for (accept, expected) in table {
            let seen = [Allow, Ask, Deny].map(|decision| Offence::of(decision, accept));
            assert_eq!(seen, expected, "{accept:?}");
        }
    }
}
