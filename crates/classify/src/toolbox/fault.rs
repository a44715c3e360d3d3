use std::fmt;

use serde_json::Value;

use crate::call::quoted;

/// Longest member name, in characters, that a place shows.
const NAME_SHOWN: usize = 80;

/// Why arguments do not fit a tool. It names places and types and never repeats a value, because the model
/// and the log see it and a value may be a secret (invariant 11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentFault {
    text: String,
    place: String,
}

impl ArgumentFault {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            place: String::new(),
        }
    }

    pub(super) fn missing(member: &str) -> Self {
        Self::new(format!("member `{}` is missing", quoted(member, NAME_SHOWN)))
    }

    pub(super) fn wrong_type(wanted: &str, found: &Value) -> Self {
        Self::new(format!("{wanted} is needed and {} stands here", type_of(found)))
    }

    /// The same fault, seen from the object that holds it.
    pub(super) fn within_member(mut self, member: &str) -> Self {
        self.place = format!("[\"{}\"]{}", quoted(member, NAME_SHOWN), self.place);
        self
    }

    /// The same fault, seen from the array that holds it.
    pub(super) fn within(mut self, index: usize) -> Self {
        self.place = format!("[{index}]{}", self.place);
        self
    }

    /// The same fault at an RFC 6901 pointer.
    pub(super) fn at_pointer(self, pointer: &str) -> Self {
        pointer.split('/').skip(1).fold(self, |mut fault, token| {
            let name = token.replace("~1", "/").replace("~0", "~");
            fault
                .place
                .push_str(&format!("[\"{}\"]", quoted(&name, NAME_SHOWN)));
            fault
        })
    }

    /// One sentence, without the place.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where in the arguments: `$["path"]`, or `$` for the arguments themselves.
    #[must_use]
    pub fn place(&self) -> String {
        format!("${}", self.place)
    }
}

impl fmt::Display for ArgumentFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at ${}", self.text, self.place)
    }
}

impl std::error::Error for ArgumentFault {}

/// Why a tool cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub(super) String);

/// The type's name with its article, for texts.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
