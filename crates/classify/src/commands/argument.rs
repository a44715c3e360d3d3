//! Arguments: the words of a command, as far as their values are known.

use std::borrow::Cow;

use super::flow::Found;
use crate::shell::{Place, Word};

/// One argument, or several that are written as one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument<'a> {
    /// The word that it stands for, when it is a word of the text.
    origin: Option<&'a Word>,
    /// No name that it selects begins with a dash.
    undashed: bool,
    /// Whatever it becomes is no option.
    no_option: bool,
    /// What it may be. A word that becomes several arguments has all of them here; so has a word that is one of several.
    pub(crate) values: Values<'a>,
}

/// What a word may become; mostly one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Values<'a> {
    /// One.
    One(Value<'a>),
    /// Several, or one of several.
    Many(Vec<Value<'a>>),
}

/// One value, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    /// Exactly this.
    Literal(Cow<'a, str>),
    /// The names that this pattern selects, in the resolver's spelling.
    Pattern(String),
    /// A place in a directory that the same text has just made below the temporary one, and this behind it.
    Fresh(String),
    /// Some of the files below directories that are known.
    Found(Found),
    /// Not known.
    Unknown {
        /// It begins with this.
        start: Cow<'a, str>,
        /// It is one argument, whatever it becomes.
        single: bool,
    },
}

impl<'a> Argument<'a> {
    /// A literal.
    pub(crate) const fn literal(text: &'a str) -> Self {
        Self {
            origin: None,
            undashed: false,
            no_option: false,
            values: Values::One(Value::Literal(Cow::Borrowed(text))),
        }
    }

    /// The argument that a word is when nothing else is known than the word itself.
    pub(crate) fn of_word(word: &'a Word) -> Self {
        let value = match word.literal() {
            Some(text) => Value::Literal(Cow::Borrowed(text)),
            None => Value::Unknown {
                start: Cow::Borrowed(word.known_start()),
                single: word.is_single(),
            },
        };
        Self {
            origin: Some(word),
            undashed: false,
            no_option: false,
            values: Values::One(value),
        }
    }

    /// A word whose values were found.
    pub(crate) const fn of_values(word: &'a Word, values: Values<'a>) -> Self {
        Self {
            origin: Some(word),
            undashed: false,
            no_option: false,
            values,
        }
    }

    /// The end of a literal word.
    pub(super) fn attached(text: &str) -> Self {
        Self {
            origin: None,
            undashed: false,
            no_option: false,
            values: Values::One(Value::Literal(Cow::Owned(text.to_owned()))),
        }
    }

    /// What stands before and behind the first `=` of a word that begins with a known text and is one word.
    pub(super) fn behind_equals(&self) -> Option<(String, Self)> {
        let Values::One(value) = &self.values else {
            return None;
        };
        let (name, value) = match value {
            Value::Unknown { start, single: true } => {
                let (name, start) = start.split_once('=')?;
                let start = Cow::Owned(start.to_owned());
                (name, Value::Unknown { start, single: true })
            }
            // Wildcards stand for names that begin so: none of them is the option.
            _ => return None,
        };
        let value = Self {
            origin: self.origin,
            undashed: true,
            no_option: true,
            values: Values::One(value),
        };
        Some((name.to_owned(), value))
    }

    /// The option and what stands behind it, of a word that begins with a dash and a letter and goes on with what moves.
    pub(super) fn behind_letter(&self) -> Option<(String, Self)> {
        let Values::One(Value::Unknown { start, single: true }) = &self.values else {
            return None;
        };
        let letter = start.strip_prefix('-').filter(|letter| letter.len() == 1)?;
        let plain = letter.bytes().all(|byte| byte.is_ascii_alphabetic());
        let value = Self {
            origin: self.origin,
            undashed: true,
            no_option: true,
            values: Values::One(Value::Unknown {
                start: Cow::Borrowed(""),
                single: true,
            }),
        };
        plain.then(|| (start.clone().into_owned(), value))
    }

    /// The word that it stands for; a part of a word becomes one of its own.
    pub(crate) fn to_word(&self, place: Place) -> Word {
        match self.origin {
            Some(word) => word.clone(),
            None => Word::of_literal(self.text().unwrap_or_default().to_owned(), place),
        }
    }

    /// Where it stands in the text, when it is a word of it.
    pub(crate) fn place(&self) -> Option<Place> {
        self.origin.map(Word::place)
    }

    /// The text, when it is exactly one literal.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.values {
            Values::One(Value::Literal(text)) => Some(text),
            _ => None,
        }
    }

    /// Every value.
    pub(crate) fn values(&self) -> &[Value<'a>] {
        match &self.values {
            Values::One(value) => std::slice::from_ref(value),
            Values::Many(values) => values,
        }
    }

    /// The same, when a look at the disk has told that no name there begins with a dash.
    pub(crate) const fn without_dashes(mut self) -> Self {
        self.undashed = true;
        self
    }

    /// The same, when whatever it becomes is no option.
    pub(super) const fn without_option(mut self) -> Self {
        self.no_option = true;
        self
    }

    /// Whether it begins with a wildcard, and may so become a name that begins with a dash.
    pub(crate) fn begins_with_a_wildcard(&self) -> bool {
        let wild =
            |value: &Value<'_>| matches!(value, Value::Pattern(text) if text.starts_with(['*', '?', '[']));
        self.values().iter().any(wild)
    }

    /// Whether it may become something that begins with a dash.
    pub(super) fn may_be_option(&self) -> bool {
        if self.no_option {
            return false;
        }
        self.values().iter().any(|value| match value {
            Value::Literal(text) => text.starts_with('-'),
            Value::Pattern(text) => !self.undashed && text.starts_with(['-', '*', '?', '[']),
            Value::Unknown { start, single } => !single || start.is_empty() || start.starts_with('-'),
            Value::Fresh(_) => false,
            Value::Found(found) => found.starts.iter().any(|start| start.starts_with('-')),
        })
    }
}

impl Value<'_> {
    /// The text, when it is literal.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            _ => None,
        }
    }
}

impl std::fmt::Display for Argument<'_> {
    /// The values as they are known, for people; a `…` stands for what is not known.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, value) in self.values().iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            match value {
                Value::Literal(text) => f.write_str(text)?,
                Value::Pattern(text) => f.write_str(text)?,
                Value::Fresh(rest) => write!(f, "(temporary){rest}")?,
                Value::Unknown { start, .. } => write!(f, "{start}…")?,
                Value::Found(found) => write!(f, "{}…", found.starts.join("… "))?,
            }
        }
        Ok(())
    }
}
