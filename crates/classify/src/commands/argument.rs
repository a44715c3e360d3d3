//! Arguments: the words of a command, as far as their values are known.

use std::borrow::Cow;

use crate::shell::Word;

/// One argument, or several that are written as one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument<'a> {
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
    /// Not known, but it begins with this.
    Unknown(Cow<'a, str>),
}

impl<'a> Argument<'a> {
    /// A literal.
    pub(crate) const fn literal(text: &'a str) -> Self {
        Self {
            values: Values::One(Value::Literal(Cow::Borrowed(text))),
        }
    }

    /// The argument that a word is when nothing else is known than the word itself.
    pub(crate) fn of_word(word: &'a Word) -> Self {
        let value = match word.literal() {
            Some(text) => Value::Literal(Cow::Borrowed(text)),
            None => Value::Unknown(Cow::Borrowed(word.known_start())),
        };
        Self {
            values: Values::One(value),
        }
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

    /// Whether it may become something that begins with a dash.
    pub(super) fn may_be_option(&self) -> bool {
        self.values().iter().any(|value| match value {
            Value::Literal(text) => text.starts_with('-'),
            Value::Pattern(text) => text.starts_with(['-', '*', '?', '[']),
            Value::Unknown(start) => start.is_empty() || start.starts_with('-'),
            Value::Fresh(_) => false,
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
                Value::Unknown(start) => write!(f, "{start}…")?,
            }
        }
        Ok(())
    }
}
