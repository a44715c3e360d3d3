//! What was read of one simple command.

use super::argument::Argument;
use super::{Fact, Role};

/// What the table says about one simple command.
#[derive(Debug, Default)]
pub(crate) struct Reading<'t, 'a> {
    /// The program and the sub-commands, by their first names in the table.
    pub(crate) path: Vec<&'t str>,
    /// What it does with its words, in the order in which they stand.
    pub(crate) acts: Vec<Act<'t, 'a>>,
    /// What it does besides.
    pub(crate) facts: Vec<Fact>,
    /// Names of files of the project that say what of its code runs; none when that is not known.
    pub(crate) decided_by: Vec<&'t str>,
    /// The options given, by their first spellings in the table; those that the table does not know as written.
    pub(crate) options: Vec<(String, Option<Argument<'a>>)>,
    /// The operands, sub-commands not among them.
    pub(crate) operands: Vec<Argument<'a>>,
    /// What it runs begins in another directory than its own.
    pub(crate) moves: bool,
    /// The first word that the table does not explain, and why. What was read counts all the same.
    pub(crate) misread: Option<(String, Misread)>,
}

/// One word, or several, and what is done with it.
#[derive(Debug, Clone)]
pub(crate) struct Act<'t, 'a> {
    pub(crate) role: Role,
    pub(crate) argument: Argument<'a>,
    /// The option whose value it is.
    pub(crate) option: Option<&'t str>,
    /// The words that belong to it, for roles that take all the rest.
    pub(crate) rest: Vec<Argument<'a>>,
}

/// Why a word is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misread {
    /// An option that the table does not know.
    Option,
    /// A sub-command that the table does not know.
    Sub,
    /// An operand where the table knows none.
    Operand,
    /// It is known only when it runs, and may be an option.
    Moving,
}

impl Misread {
    /// One sentence about the word, for a person.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::Option => "is an option that is not known",
            Self::Sub => "is a sub-command that is not known",
            Self::Operand => "stands where no word is known to stand",
            Self::Moving => "is known only when it runs, and may be an option",
        }
    }
}
