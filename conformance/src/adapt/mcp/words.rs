//! Neutral calls in the server's words, and its results in neutral ones.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::wire::{Call, Decision};

/// Tools that there are on both sides.
pub(super) const TOOLS: [(&str, &str); 6] = [
    ("read", "read_text_file"),
    ("write", "write_file"),
    ("edit", "edit_file"),
    ("make_dir", "create_directory"),
    ("list", "list_directory"),
    ("move", "move_file"),
];

/// What the server's tool is called and gets. Nothing is checked here; only members that have another name are renamed.
pub(super) fn tool(call: &Call) -> (String, Value) {
    let known = TOOLS.iter().find(|(neutral, _)| *neutral == call.tool);
    let Some((_, name)) = known else {
        // The server's own names are nobody's in the neutral language.
        return (format!("runner.{}", call.tool), call.args.clone());
    };
    let Some(args) = call.args.as_object() else {
        return ((*name).to_owned(), call.args.clone());
    };
    let cwd = Path::new(&call.cwd);
    let mut told = Map::new();
    let mut edit = Map::new();
    for (member, value) in args {
        match (call.tool.as_str(), member.as_str()) {
            ("edit", "old") => drop(edit.insert("oldText".to_owned(), value.clone())),
            ("edit", "new") => drop(edit.insert("newText".to_owned(), value.clone())),
            ("move", "from") => drop(told.insert("source".to_owned(), absolute(cwd, value))),
            ("move", "to") => drop(told.insert("destination".to_owned(), absolute(cwd, value))),
            (_, "path") => drop(told.insert("path".to_owned(), absolute(cwd, value))),
            _ => drop(told.insert(member.clone(), value.clone())),
        }
    }
    if call.tool == "edit" {
        told.insert("edits".to_owned(), json!([edit]));
    }
    ((*name).to_owned(), Value::Object(told))
}

/// The call that makes the directory of what is written.
pub(super) fn parent(call: &Call) -> Option<Call> {
    let path = call.args.get("path")?.as_str()?;
    let (parent, _) = path.trim_end_matches('/').rsplit_once('/')?;
    (call.tool == "write" && !parent.is_empty()).then(|| Call {
        tool: "make_dir".to_owned(),
        args: json!({"path": parent}),
        ..call.clone()
    })
}

/// The server knows no working directory: a relative path is made absolute, as its users are told to write it.
fn absolute(cwd: &Path, path: &Value) -> Value {
    match path.as_str() {
        Some(path) if !path.is_empty() => json!(cwd.join(path).to_string_lossy()),
        _ => path.clone(),
    }
}

/// What a result says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) decision: Decision,
    pub(super) reason: &'static str,
    pub(super) executed: bool,
    pub(super) output: Option<String>,
}

impl Verdict {
    /// Whether something was not there.
    pub(super) fn is_missing(&self) -> bool {
        !self.executed && self.output.as_deref().is_some_and(is_missing)
    }

    pub(super) fn fault() -> Self {
        Self {
            decision: Decision::Deny,
            reason: "fault",
            executed: false,
            output: None,
        }
    }
}

/// The server has one form of error for everything. An operating system that has no such file, or finds a directory, did
/// not refuse: the call was allowed and failed. Everything else is a refusal.
pub(super) fn verdict(tool: &str, result: &Value) -> Verdict {
    let text = text(result);
    if result.get("isError") != Some(&Value::Bool(true)) {
        let names = |line: &str| match line.strip_prefix("[FILE] ").or(line.strip_prefix("[DIR] ")) {
            Some(name) => name.to_owned(),
            None => line.to_owned(),
        };
        let output = match tool {
            "list" => text.lines().map(names).collect::<Vec<_>>().join("\n"),
            _ => text,
        };
        return Verdict {
            decision: Decision::Allow,
            reason: "policy",
            executed: true,
            output: Some(output),
        };
    }
    let (decision, reason) = if text.starts_with("ENOENT:") || text.starts_with("EISDIR:") {
        (Decision::Allow, "policy")
    } else if text.contains("-32602") && text.contains("not found") {
        (Decision::Deny, "unknown_tool")
    } else if text.contains("-32602") {
        (Decision::Deny, "bad_arguments")
    } else {
        (Decision::Deny, "policy")
    };
    Verdict {
        decision,
        reason,
        executed: false,
        output: Some(text),
    }
}

fn is_missing(text: &str) -> bool {
    text.starts_with("ENOENT:") || text.starts_with("Parent directory does not exist")
}

fn text(result: &Value) -> String {
    let parts = result.get("content").and_then(Value::as_array);
    let texts = parts
        .into_iter()
        .flatten()
        .filter_map(|part| part.get("text").and_then(Value::as_str));
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Verdict, tool, verdict};
    use crate::wire::{Call, Decision};

    fn call(name: &str, args: Value) -> Call {
        Call {
            id: "c-1".to_owned(),
            session: "s-1".to_owned(),
            tool: name.to_owned(),
            args,
            cwd: "/w".to_owned(),
            agent: None,
            message: None,
        }
    }

    fn told(name: &str, args: Value) -> (String, Value) {
        tool(&call(name, args))
    }

    #[test]
    fn only_a_write_has_a_directory_to_make() {
        let made = |tool: &str, path: &str| {
            let parent = super::parent(&call(tool, json!({"path": path, "content": "x"})))?;
            Some((parent.tool, parent.args))
        };
        let make = |path: &str| Some(("make_dir".to_owned(), json!({"path": path})));
        assert_eq!(made("write", "a/b/c"), make("a/b"));
        assert_eq!(made("write", "/a/../b/c/"), make("/a/../b"));
        assert_eq!(made("write", "a"), None);
        assert_eq!(made("write", "/a"), None);
        assert_eq!(made("read", "a/b"), None);
    }

    #[test]
    fn members_are_renamed_and_nothing_else() {
        for (name, args, server, expected) in [
            (
                "read",
                json!({"path": "a/../b"}),
                "read_text_file",
                json!({"path": "/w/a/../b"}),
            ),
            (
                "read",
                json!({"path": 1, "more": "x"}),
                "read_text_file",
                json!({"path": 1, "more": "x"}),
            ),
            (
                "write",
                json!({"path": "/a", "content": "x"}),
                "write_file",
                json!({"path": "/a", "content": "x"}),
            ),
            (
                "edit",
                json!({"path": "a", "old": "x", "new": "y"}),
                "edit_file",
                json!({"path": "/w/a", "edits": [{"oldText": "x", "newText": "y"}]}),
            ),
            (
                "edit",
                json!({"old": 1}),
                "edit_file",
                json!({"edits": [{"oldText": 1}]}),
            ),
            (
                "move",
                json!({"from": "a", "to": "/b"}),
                "move_file",
                json!({"source": "/w/a", "destination": "/b"}),
            ),
            ("list", json!([]), "list_directory", json!([])),
            (
                "write_file",
                json!({"path": "a"}),
                "runner.write_file",
                json!({"path": "a"}),
            ),
            (
                "delete",
                json!({"path": "a"}),
                "runner.delete",
                json!({"path": "a"}),
            ),
        ] {
            assert_eq!(told(name, args), (server.to_owned(), expected));
        }
    }

    fn said(tool: &str, text: &str, is_error: bool) -> Verdict {
        verdict(
            tool,
            &json!({"content": [{"type": "text", "text": text}], "isError": is_error}),
        )
    }

    #[test]
    fn an_error_is_a_refusal_unless_nothing_was_refused() {
        for (text, decision, reason) in [
            (
                "Access denied - path outside allowed directories: /x",
                Decision::Deny,
                "policy",
            ),
            (
                "ELOOP: too many symbolic links encountered, realpath '/w/a'",
                Decision::Deny,
                "policy",
            ),
            ("Parent directory does not exist: /w/a", Decision::Deny, "policy"),
            (
                "ENOENT: no such file or directory, open '/w/a'",
                Decision::Allow,
                "policy",
            ),
            (
                "EISDIR: illegal operation on a directory, read",
                Decision::Allow,
                "policy",
            ),
            (
                "MCP error -32602: Tool x not found",
                Decision::Deny,
                "unknown_tool",
            ),
            (
                "MCP error -32602: Input validation error: ...",
                Decision::Deny,
                "bad_arguments",
            ),
        ] {
            let verdict = said("read", text, true);
            assert_eq!((verdict.decision, verdict.reason), (decision, reason), "{text}");
            assert_eq!((verdict.executed, verdict.output.as_deref()), (false, Some(text)));
        }
        let done = said("list", "[FILE] a b\n[DIR] [FILE] c", false);
        assert_eq!(
            (done.executed, done.output.as_deref()),
            (true, Some("a b\n[FILE] c"))
        );
        assert_eq!(
            said("read", "[FILE] a", false).output.as_deref(),
            Some("[FILE] a")
        );
    }
}
