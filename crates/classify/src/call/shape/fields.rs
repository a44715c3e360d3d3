use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::call::{CallError, CallErrorKind};

/// Longest id, tool name, session or agent in bytes.
const NAME_BYTES: usize = 256;
/// Longest working directory in bytes: the kernel takes no longer path.
const PATH_BYTES: usize = 4096;

/// The members of a call's own object, taken one by one and checked as they are taken.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn new(value: Value) -> Result<Self, CallError> {
        match value {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(CallError::new(CallErrorKind::Shape, "a call is an object")),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A string of 1 to 256 bytes, when it is there.
    pub(super) fn name(&mut self, name: &str) -> Result<Option<String>, CallError> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        bounded_name(text, name).map(Some)
    }

    /// A string of 1 to 256 bytes.
    pub(super) fn needed_name(&mut self, name: &str) -> Result<String, CallError> {
        self.name(name)?.ok_or_else(|| missing(name))
    }

    /// An object.
    pub(super) fn needed_object(&mut self, name: &str) -> Result<Value, CallError> {
        match self.0.remove(name) {
            Some(object @ Value::Object(_)) => Ok(object),
            Some(_) => Err(wrong(name, "an object")),
            None => Err(missing(name)),
        }
    }

    /// An absolute path, when it is there.
    pub(super) fn cwd(&mut self) -> Result<Option<PathBuf>, CallError> {
        let Some(text) = self.text("cwd")? else {
            return Ok(None);
        };
        if text.len() > PATH_BYTES {
            return Err(too_long("cwd", PATH_BYTES));
        }
        if !text.starts_with('/') || text.contains('\0') {
            return Err(CallError::new(
                CallErrorKind::Shape,
                "the working directory is not an absolute path",
            )
            .at_member("cwd")
            .with_hint("name the directory from `/` on, or leave the member out"));
        }
        Ok(Some(PathBuf::from(text)))
    }

    /// As [`Fields::cwd`]; one that is no text stands as `cwd_hex`, as [`crate::Call::canonical`] writes it. A text
    /// has one form only.
    pub(super) fn cwd_or_hex(&mut self) -> Result<Option<PathBuf>, CallError> {
        let Some(digits) = self.text("cwd_hex")? else {
            return self.cwd();
        };
        if digits.len() > 2 * PATH_BYTES {
            return Err(too_long("cwd_hex", 2 * PATH_BYTES));
        }
        let bytes = unhex(&digits).filter(|bytes| {
            bytes.first() == Some(&b'/') && !bytes.contains(&0) && std::str::from_utf8(bytes).is_err()
        });
        match bytes {
            Some(bytes) if !self.has("cwd") => Ok(Some(PathBuf::from(OsString::from_vec(bytes)))),
            _ => Err(CallError::new(
                CallErrorKind::Shape,
                "it is not the hexadecimal of an absolute path that is no text",
            )
            .at_member("cwd_hex")
            .with_hint("name the directory in `cwd`, and here only when it is not UTF-8")),
        }
    }

    /// Checks the type of a member that is otherwise of no use to the gate.
    pub(super) fn ignore_text(&mut self, name: &str) -> Result<(), CallError> {
        self.text(name).map(drop)
    }

    /// Nothing is left.
    pub(super) fn end(self) -> Result<(), CallError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(CallError::new(CallErrorKind::Shape, "a call has no such member")
                .at_member(name)
                .with_hint("the members are `id`, `tool`, `args`, `cwd`, `session`, `agent` and `message`")),
        }
    }

    /// None of these members is there: they belong to another form of the same host's calls.
    pub(super) fn none_of(&self, names: &[&str]) -> Result<(), CallError> {
        match names.iter().find(|name| self.has(name)) {
            None => Ok(()),
            Some(name) => Err(CallError::new(
                CallErrorKind::Shape,
                "two forms of a call are mixed, and this member is of the other",
            )
            .at_member(name)),
        }
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, CallError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "a string")),
        }
    }
}

/// The text, when it has 1 to 256 bytes.
pub(super) fn bounded_name(text: String, member: &str) -> Result<String, CallError> {
    if text.is_empty() {
        return Err(CallError::new(CallErrorKind::Shape, "the string is empty").at_member(member));
    }
    if text.len() > NAME_BYTES {
        return Err(too_long(member, NAME_BYTES));
    }
    Ok(text)
}

/// Lower-case digits, two for each byte.
fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some(digit(high)? * 16 + digit(low)?),
            _ => None,
        })
        .collect()
}

fn missing(name: &str) -> CallError {
    CallError::new(CallErrorKind::Shape, "a member is missing").at_member(name)
}

fn wrong(name: &str, wanted: &str) -> CallError {
    CallError::new(CallErrorKind::Shape, format!("{wanted} is needed here")).at_member(name)
}

fn too_long(name: &str, limit: usize) -> CallError {
    CallError::new(
        CallErrorKind::Limit,
        format!("the string has more than {limit} bytes"),
    )
    .at_member(name)
}
