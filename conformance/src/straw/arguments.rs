//! Whether arguments fit their tool, and which of them are paths.

use serde_json::Value;

use super::Lie;
use super::strict;
use crate::os::perform::path_bytes;
use crate::wire::Call;

/// The members of a tool's arguments.
enum Kind {
    Path,
    Text,
    Flag,
    Any,
}

fn members(tool: &str) -> Option<&'static [(&'static str, Kind)]> {
    Some(match tool {
        "read" | "list" | "load" | "make_dir" => &[("path", Kind::Path)],
        "write" => &[("path", Kind::Path), ("content", Kind::Text)],
        "edit" => &[("path", Kind::Path), ("old", Kind::Text), ("new", Kind::Text)],
        "delete" => &[("path", Kind::Path), ("recursive", Kind::Flag)],
        "move" => &[("from", Kind::Path), ("to", Kind::Path)],
        "run" => &[("command", Kind::Text)],
        "spawn" => &[("name", Kind::Text), ("input", Kind::Any)],
        _ => return None,
    })
}

/// Longest arguments that are read, in bytes.
const MOST: usize = 256 << 10;
const DEPTH: u32 = 32;

/// The tool and its arguments, checked; or the reason of the denial.
pub(super) fn check(call: &Call, lie: Lie) -> Result<(String, Value), &'static str> {
    let (tool, args) = match call.tool.strip_prefix("raw:") {
        None => (call.tool.clone(), call.args.clone()),
        Some(tool) => (tool.to_owned(), raw(call, lie).ok_or("bad_arguments")?),
    };
    let Some(members) = members(&tool) else {
        return Err("unknown_tool");
    };
    let object = args.as_object().ok_or("bad_arguments")?;
    if lie.is("coerce") {
        return Ok((tool, coerced(args.clone(), members)));
    }
    let fits = |(name, kind): &(&str, Kind)| {
        object.get(*name).is_some_and(|value| match kind {
            Kind::Path => path_bytes(value).is_some_and(|path| !path.is_empty() && !path.contains(&0)),
            Kind::Text => value.is_string(),
            Kind::Flag => value.is_boolean(),
            Kind::Any => true,
        })
    };
    if members.iter().all(fits) && object.len() == members.len() {
        Ok((tool, args))
    } else {
        Err("bad_arguments")
    }
}

/// The arguments that are paths.
pub(super) fn paths(tool: &str) -> &'static [&'static str] {
    match tool {
        "move" => &["from", "to"],
        "run" | "spawn" => &[],
        _ => &["path"],
    }
}

fn raw(call: &Call, lie: Lie) -> Option<Value> {
    let text = call.args.get("raw")?.as_str()?;
    if lie.is("raw-unbounded") {
        let _deep = nesting(&mut text.bytes());
    }
    if text.len() > MOST {
        return None;
    }
    let read = |text: &str| strict::read(text, DEPTH, lie.is("last-key")).ok();
    if lie.is("raw-lenient") {
        // As far as it can be read: the text is cut until it can.
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let cuts: Vec<usize> = ends.collect();
        return cuts.iter().rev().take(200).find_map(|at| {
            let cut = text.get(..*at)?;
            read(cut)
                .or_else(|| read(&format!("{cut}}}")))
                .or_else(|| read(&format!("{cut}\"}}")))
        });
    }
    read(text)
}

/// How deep the brackets go; one frame for each, so that the stack ends where nothing else does.
fn nesting(bytes: &mut std::str::Bytes<'_>) -> usize {
    let mut deepest = 0;
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => deepest = deepest.max(1 + nesting(bytes)),
            b']' | b'}' => break,
            _ => {}
        }
    }
    deepest
}

fn coerced(args: Value, members: &[(&str, Kind)]) -> Value {
    let mut object = args.as_object().cloned().unwrap_or_default();
    for (name, kind) in members {
        let value = object.get(*name).cloned().unwrap_or(Value::Null);
        let text = match &value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            Value::Array(values) => values
                .first()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            other => other.to_string(),
        };
        let new = match kind {
            Kind::Path if path_bytes(&value).is_some() => value,
            Kind::Path | Kind::Text => Value::String(text),
            Kind::Flag => Value::Bool(text != "false" && !text.is_empty()),
            Kind::Any => value,
        };
        object.insert((*name).to_owned(), new);
    }
    object.retain(|name, _| members.iter().any(|(member, _)| member == name));
    Value::Object(object)
}
