//! Whatever holds commands: compounds and substitutions.

use super::{Place, Redirection, Seat, Word};

/// A compound command or a substitution, with what belongs to it and not to a command inside.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// What it is.
    pub kind: GroupKind,
    /// The variable of a `for` or `select`, which takes one of the words after the other; without words the parameters.
    pub variable: Option<String>,
    /// Words of its own: the list of a `for`, the subject and the patterns of a `case`, the operands in `[[ … ]]`.
    pub words: Vec<Word>,
    /// Redirections of the whole.
    pub redirections: Vec<Redirection>,
    /// Where it stands among the others. A substitution stands in the group of the command whose word it supplies.
    pub seat: Seat,
    /// Where it stands in the text.
    pub place: Place,
    /// It is the words behind a wrapper, which the wrapper's own shell expands; not a text for another one.
    pub(crate) is_of_words: bool,
}

impl Group {
    pub(super) const fn new(kind: GroupKind, seat: Seat, place: Place) -> Self {
        Self {
            kind,
            variable: None,
            words: Vec::new(),
            redirections: Vec::new(),
            seat,
            place,
            is_of_words: false,
        }
    }
}

/// The kinds of [`Group`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupKind {
    /// `( … )`
    Subshell,
    /// `{ …; }`
    Braces,
    /// `if …; then …; fi`
    If,
    /// `while …; do …; done`
    While,
    /// `until …; do …; done`
    Until,
    /// `for x in …; do …; done` and `for (( … ))`
    For,
    /// `select x in …; do …; done`
    Select,
    /// `case … in … esac`
    Case,
    /// `[[ … ]]`
    Test,
    /// `(( … ))`
    Arithmetic,
    /// The body of a function. Always opaque.
    Function,
    /// `coproc …`. Always opaque.
    Coprocess,
    /// `$( … )`
    Command,
    /// Text between backquotes.
    Backquotes,
    /// `<( … )`: what it prints can be read from the file that the word names.
    ProcessInput,
    /// `>( … )`: it reads what is written to the file that the word names.
    ProcessOutput,
    /// The text that the command of this number, an `eval`, hands to the same shell.
    Eval(usize),
    /// What the command of this number runs: the words behind a wrapper, or a text that another shell reads. Only
    /// [`unwrap`](super::unwrap) makes these.
    Behind(usize),
}

impl GroupKind {
    /// Whether it is a process at the other end of a pipe: `<( … )` or `>( … )`.
    #[must_use]
    pub const fn is_process(self) -> bool {
        matches!(self, Self::ProcessInput | Self::ProcessOutput)
    }

    /// Whether the output, or a pipe, takes the place of a part of a word.
    #[must_use]
    pub const fn is_substitution(self) -> bool {
        matches!(
            self,
            Self::Command | Self::Backquotes | Self::ProcessInput | Self::ProcessOutput
        )
    }
}
