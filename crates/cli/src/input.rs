//! One call, or a session with one call a line.

use portcullis::{Call, CallError, Limits};
use serde::de::IgnoredAny;

use crate::scene::From;

/// One judged unit of the input.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Line of the input on which it begins, from 1.
    pub(crate) line: usize,
    /// The call, or why it is none.
    pub(crate) call: Result<Call, NotACall>,
}

/// A text that is not a call.
#[derive(Debug)]
pub(crate) struct NotACall {
    /// The id, when one could be read all the same.
    pub(crate) id: Option<String>,
    /// Why it is not a call.
    pub(crate) error: CallError,
}

/// Takes the input apart. A text that is one JSON value is one call, however many lines it has; blank lines of a
/// session are skipped.
pub(crate) fn entries(bytes: &[u8], from: From) -> Vec<Entry> {
    let whole = bytes.trim_ascii();
    if serde_json::from_slice::<IgnoredAny>(whole).is_ok() {
        let before = bytes.len() - bytes.trim_ascii_start().len();
        let line = 1 + bytes.iter().take(before).filter(|byte| **byte == b'\n').count();
        return vec![entry(line, whole, from)];
    }
    bytes
        .split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| entry(number, line, from))
        .collect()
}

fn entry(line: usize, text: &[u8], from: From) -> Entry {
    let call = Call::read(text, from.shape(), &Limits::default()).map_err(|error| NotACall {
        id: id(text, from),
        error,
    });
    Entry { line, call }
}

/// For the report only: nothing is decided by it.
fn id(text: &[u8], from: From) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(text).ok()?;
    let member = match from {
        From::Portcullis => "id",
        From::ClaudeCode => "tool_use_id",
        From::Pi => "toolCallId",
    };
    value.get(member)?.as_str().map(str::to_owned)
}
