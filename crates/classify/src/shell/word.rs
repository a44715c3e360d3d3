//! Words: literal, or of a known shape.

use super::{Change, Place};

/// One word of a command, after quotes are removed.
///
/// A literal word becomes exactly one argument with exactly this text. A dynamic word may become any number of
/// arguments, none included, unless all of its moving parts are quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    place: Place,
    form: Form,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Literal(String),
    Dynamic(Vec<Piece>),
}

/// A part of a dynamic word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// Text that stands for itself.
    Literal(String),
    /// An unquoted `*`, `?` or `[`: the word becomes the names of files that match.
    Glob(char),
    /// An unquoted `{`, `,` or `}` of a brace expansion.
    Brace(char),
    /// An unquoted `~` at a place where the shell looks for a home.
    Tilde,
    /// A parameter: `$x`, `${x:-y}`, `$1`, `$?`.
    Variable {
        /// The name, number or sign.
        name: String,
        /// The value becomes one argument at most: it stands in double quotes.
        quoted: bool,
        /// It is the value itself, with no operator applied.
        plain: bool,
        /// It may be the value itself: what is applied is for where there is none, or takes an end off.
        kept: bool,
        /// What the operator makes of a value, where that is told by its text.
        change: Option<Change>,
    },
    /// What a substitution prints, or the name of the pipe to it.
    Substitution {
        /// Number of the group that holds its commands.
        group: usize,
        /// The output becomes one argument at most: it stands in double quotes.
        quoted: bool,
    },
    /// The result of an arithmetic expression that is made of numbers only.
    Arithmetic,
    /// What a wrapper puts here: a line that `xargs` reads, a file that `find` finds.
    Filled {
        /// It may become any number of arguments.
        many: bool,
        /// The word is nothing else.
        alone: bool,
    },
    /// Text in `$"…"`, which a catalogue of translations may replace.
    Translated(String),
}

impl Word {
    /// The text, when the word stands for itself.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match &self.form {
            Form::Literal(text) => Some(text),
            Form::Dynamic(_) => None,
        }
    }

    /// Whether the value is known only when the command runs.
    #[must_use]
    pub const fn is_dynamic(&self) -> bool {
        matches!(self.form, Form::Dynamic(_))
    }

    /// The parts of a dynamic word in order; none for a literal.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        match &self.form {
            Form::Literal(_) => &[],
            Form::Dynamic(pieces) => pieces,
        }
    }

    /// The text that the word begins with, whatever the rest becomes.
    #[must_use]
    pub fn known_start(&self) -> &str {
        match &self.form {
            Form::Literal(text) => text,
            Form::Dynamic(pieces) => match pieces.first() {
                Some(Piece::Literal(text)) => text,
                _ => "",
            },
        }
    }

    /// Whether the word becomes exactly one argument: a literal, or all that moves is quoted.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.pieces().iter().all(|piece| match piece {
            // A home is not cut at its blanks.
            Piece::Literal(_) | Piece::Arithmetic | Piece::Translated(_) | Piece::Tilde => true,
            // Even in quotes `"$@"` becomes as many words as there are parameters, and `"${a[@]}"` likewise.
            Piece::Variable { name, quoted, .. } => *quoted && !name.contains('@'),
            Piece::Substitution { quoted, .. } => *quoted,
            Piece::Filled { many, .. } => !many,
            Piece::Glob(_) | Piece::Brace(_) => false,
        })
    }

    /// Whether it may become a word that begins with a dash, or that is not there at all: nothing is known of how it
    /// begins. A home does not begin with a dash.
    pub(super) fn may_be_option(&self) -> bool {
        !matches!(
            self.pieces().first(),
            None | Some(Piece::Literal(_) | Piece::Tilde)
        )
    }

    /// Whether it is a number of the shell's own and nothing else: `$#`, `$?`, `$$`, `$!`.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.pieces(), [Piece::Variable { name, plain: true, .. }] if matches!(name.as_str(), "#" | "?" | "$" | "!"))
    }

    /// The name, when the word is the value of a variable and nothing else.
    pub(super) fn variable(&self) -> Option<&str> {
        match self.pieces() {
            [
                Piece::Variable {
                    name, plain: true, ..
                },
            ] => Some(name),
            _ => None,
        }
    }

    /// What stands behind the first `=`, when that is among what the word is known to begin with.
    pub(crate) fn value(&self) -> Option<Self> {
        let (_, value) = self.known_start().split_once('=')?;
        if let Form::Literal(_) = self.form {
            return Some(Self::of_literal(value.to_owned(), self.place));
        }
        let start = Some(value).filter(|value| !value.is_empty());
        let start = start.map(|value| Piece::Literal(value.to_owned()));
        let rest = self.pieces().iter().skip(1).cloned();
        let pieces: Vec<Piece> = start.into_iter().chain(rest).collect();
        Some(Self::of_pieces(pieces, self.place))
    }

    /// Where the word stands in the text.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    pub(crate) const fn of_literal(text: String, place: Place) -> Self {
        Self {
            place,
            form: Form::Literal(text),
        }
    }

    pub(super) const fn of_pieces(pieces: Vec<Piece>, place: Place) -> Self {
        Self {
            place,
            form: Form::Dynamic(pieces),
        }
    }
}
