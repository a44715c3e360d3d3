//! The RFC 8785 form of the whole call, around arguments that are canonical already.

use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Map, Value};

use super::shape::Parts;

/// Appends the canonical form of a value.
///
/// # Errors
/// A number has none.
pub(super) fn value(out: &mut Vec<u8>, value: &Value) -> Result<(), serde_json::Error> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        // How a double is written is a science of its own.
        Value::Number(_) => out.extend(serde_json_canonicalizer::to_vec(value)?),
        Value::String(text) => string(out, text),
        Value::Array(items) => {
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                self::value(out, item)?;
            }
            out.push(b']');
        }
        Value::Object(members) => {
            out.push(b'{');
            for (key, member) in sorted(members) {
                name(out, key);
                self::value(out, member)?;
            }
            out.push(b'}');
        }
    }
    Ok(())
}

/// RFC 8785, 3.2.3: by the UTF-16 units of the names.
fn sorted(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut sorted: Vec<_> = members.iter().collect();
    if sorted.iter().all(|(name, _)| name.is_ascii()) {
        sorted.sort_unstable_by_key(|(name, _)| *name);
    } else {
        sorted.sort_unstable_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    }
    sorted
}

/// The canonical text, and where in it the arguments stand. Members are in the order of RFC 8785: by name.
pub(super) fn envelope(parts: &Parts, arguments: &[u8]) -> (Vec<u8>, Range<usize>) {
    let mut out = Vec::with_capacity(arguments.len() + 256);
    out.push(b'{');
    if let Some(agent) = &parts.agent {
        member(&mut out, "agent", agent);
    }
    name(&mut out, "args");
    let start = out.len();
    out.extend_from_slice(arguments);
    let range = start..out.len();
    if let Some(cwd) = &parts.cwd {
        match cwd.to_str() {
            Some(text) => member(&mut out, "cwd", text),
            None => member(&mut out, "cwd_hex", &hex(cwd.as_os_str().as_bytes())),
        }
    }
    member(&mut out, "id", &parts.id);
    if let Some(message) = &parts.message {
        member(&mut out, "message", message);
    }
    if let Some(session) = &parts.session {
        member(&mut out, "session", session);
    }
    member(&mut out, "tool", &parts.tool);
    out.push(b'}');
    (out, range)
}

fn member(out: &mut Vec<u8>, member: &str, text: &str) {
    name(out, member);
    string(out, text);
}

fn name(out: &mut Vec<u8>, member: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    string(out, member);
    out.push(b':');
}

/// RFC 8785, 3.2.2.2: the shortest escapes, everything else as it is.
fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0x00..=0x1f))
    {
        let Some(([plain @ .., byte], behind)) = rest.split_at_checked(at + 1) else {
            break;
        };
        out.extend_from_slice(plain);
        rest = behind;
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x09 => out.extend_from_slice(b"\\t"),
            0x0a => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0d => out.extend_from_slice(b"\\r"),
            _ => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
