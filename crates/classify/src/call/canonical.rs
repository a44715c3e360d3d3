//! The RFC 8785 form of the whole call, around arguments that are canonical already.

use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;

use super::shape::Parts;

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
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x09 => out.extend_from_slice(b"\\t"),
            0x0a => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0d => out.extend_from_slice(b"\\r"),
            0x00..=0x1f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
