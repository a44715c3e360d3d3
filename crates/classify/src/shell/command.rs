//! Simple commands, and where they stand.

use super::{Part, Place, Redirection, Word};

/// One simple command: assignments, words, redirections. With no words at all it only assigns or opens files.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SimpleCommand {
    /// Assignments before the first word. With words they are the environment of this command alone.
    pub assignments: Vec<Assignment>,
    /// The command word and its arguments.
    pub words: Vec<Word>,
    /// Redirections in order; bash applies them from left to right.
    pub redirections: Vec<Redirection>,
    /// Where it stands among the others.
    pub seat: Seat,
    /// Where it stands in the text.
    pub place: Place,
}

impl SimpleCommand {
    /// The command word, when it is a literal.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.words.first()?.literal()
    }

    pub(super) const fn new(seat: Seat, place: Place) -> Self {
        Self {
            assignments: Vec::new(),
            words: Vec::new(),
            redirections: Vec::new(),
            seat,
            place,
        }
    }
}

/// One assignment: `name=value`, `name+=value`, `name[3]=value` or `name=(value …)`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The value is added to what is there.
    pub appends: bool,
    /// The value is an array, or one element of an array.
    pub array: bool,
    /// The value: exactly one word, except for an array.
    pub values: Vec<Word>,
}

/// Where a command or a group stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Seat {
    /// Number of the group that holds it; none at the top.
    pub group: Option<usize>,
    /// On what it depends that it runs at all.
    pub link: Link,
    /// Who writes into its standard input by `|` or `|&`.
    pub fed_by: Option<Part>,
    /// The list it is part of runs in the background.
    pub background: bool,
    /// A `!` stands before its pipeline: what follows `&&` runs when it failed.
    pub negated: bool,
}

impl Seat {
    /// The first command at the top.
    pub(super) const fn top() -> Self {
        Self::within(None)
    }

    /// The first command in a group.
    pub(super) const fn within(group: Option<usize>) -> Self {
        Self {
            group,
            link: Link::Always,
            fed_by: None,
            background: false,
            negated: false,
        }
    }
}

/// On what it depends that a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Link {
    /// Nothing before it in its list: it is the first one, or follows `;`, `&`, `|` or a new line.
    #[default]
    Always,
    /// What stands before it succeeded: it follows `&&`.
    Success,
    /// What stands before it failed: it follows `||`.
    Failure,
}
