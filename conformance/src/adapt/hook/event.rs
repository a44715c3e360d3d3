//! A neutral call as the event that Claude Code sends.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::host::NoOpinion;
use super::session::Session;
use crate::wire::Call;

/// Why the host brings a call before no hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It has no such tool.
    Tool,
    /// The arguments do not fit the tool's schema.
    Arguments,
}

/// The event on the hook's standard input.
pub(super) fn event(call: &Call, session: &Session, mode: NoOpinion) -> Result<Value, Unfit> {
    let (tool, input) = tool(call)?;
    let mut event = json!({
        "session_id": session.id,
        "transcript_path": session.transcript,
        "cwd": call.cwd,
        "permission_mode": mode.permission_mode(),
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": call.id,
    });
    if let (Some(agent), Some(members)) = (&call.agent, event.as_object_mut()) {
        members.insert("agent_id".to_owned(), json!(format!("agent-{agent}")));
        members.insert("agent_type".to_owned(), json!(agent));
    }
    Ok(event)
}

/// The host's tool and its arguments. What has no tool of its own is a command, as an agent would write it.
fn tool(call: &Call) -> Result<(String, Value), Unfit> {
    let args = Args(call.args.as_object().ok_or(Unfit::Arguments)?);
    let cwd = Path::new(&call.cwd);
    let place = |name: &str| args.text(name).map(|path| absolute(cwd, path));
    let words = |words: &[&str]| Ok(("Bash".to_owned(), json!({"command": words.join(" ")})));
    match call.tool.as_str() {
        "read" => {
            args.only(&["path"])?;
            Ok(("Read".to_owned(), json!({"file_path": place("path")?})))
        }
        "write" => {
            args.only(&["path", "content"])?;
            let input = json!({"file_path": place("path")?, "content": args.text("content")?});
            Ok(("Write".to_owned(), input))
        }
        "edit" => {
            args.only(&["path", "old", "new"])?;
            let input = json!({
                "file_path": place("path")?,
                "old_string": args.text("old")?,
                "new_string": args.text("new")?,
            });
            Ok(("Edit".to_owned(), input))
        }
        "list" => {
            args.only(&["path"])?;
            let input = json!({"pattern": "*", "path": place("path")?});
            Ok(("Glob".to_owned(), input))
        }
        "run" => {
            args.only(&["command"])?;
            words(&[args.text("command")?])
        }
        "make_dir" => {
            args.only(&["path"])?;
            words(&["mkdir -p --", &quoted(args.text("path")?)])
        }
        "delete" => {
            args.only(&["path", "recursive"])?;
            let program = match args.0.get("recursive") {
                Some(Value::Bool(true)) => "rm -r --",
                Some(Value::Bool(false)) => "rm --",
                _ => return Err(Unfit::Arguments),
            };
            words(&[program, &quoted(args.text("path")?)])
        }
        "move" => {
            args.only(&["from", "to"])?;
            let (from, to) = (quoted(args.text("from")?), quoted(args.text("to")?));
            words(&["mv -T --", &from, &to])
        }
        "spawn" => {
            args.only(&["name", "input"])?;
            let input = args.0.get("input").cloned().ok_or(Unfit::Arguments)?;
            Ok((args.text("name")?.to_owned(), input))
        }
        _ => Err(Unfit::Tool),
    }
}

struct Args<'a>(&'a Map<String, Value>);

impl Args<'_> {
    fn text(&self, name: &str) -> Result<&str, Unfit> {
        self.0.get(name).and_then(Value::as_str).ok_or(Unfit::Arguments)
    }

    fn only(&self, names: &[&str]) -> Result<(), Unfit> {
        let known = self.0.keys().all(|name| names.contains(&name.as_str()));
        if known { Ok(()) } else { Err(Unfit::Arguments) }
    }
}

/// As the host writes a path: absolute, and otherwise as it was.
fn absolute(cwd: &Path, path: &str) -> String {
    // An empty path stays one: it names nothing, and is not the working directory.
    if path.is_empty() {
        return String::new();
    }
    cwd.join(path).to_string_lossy().into_owned()
}

/// One word of a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Unfit, tool};
    use crate::wire::Call;

    fn told(name: &str, args: Value) -> Result<(String, Value), Unfit> {
        tool(&Call {
            id: "c-1".to_owned(),
            session: "s-1".to_owned(),
            tool: name.to_owned(),
            args,
            cwd: "/w".to_owned(),
            agent: None,
            message: None,
        })
    }

    #[test]
    fn calls_become_the_hosts_tools() {
        let bash = |command: &str| ("Bash", json!({"command": command}));
        for (name, args, expected) in [
            (
                "read",
                json!({"path": "a/../b"}),
                ("Read", json!({"file_path": "/w/a/../b"})),
            ),
            (
                "read",
                json!({"path": "/x"}),
                ("Read", json!({"file_path": "/x"})),
            ),
            ("read", json!({"path": ""}), ("Read", json!({"file_path": ""}))),
            (
                "write",
                json!({"path": "a", "content": "b"}),
                ("Write", json!({"file_path": "/w/a", "content": "b"})),
            ),
            (
                "edit",
                json!({"path": "a", "old": "b", "new": "c"}),
                (
                    "Edit",
                    json!({"file_path": "/w/a", "old_string": "b", "new_string": "c"}),
                ),
            ),
            (
                "list",
                json!({"path": "a"}),
                ("Glob", json!({"pattern": "*", "path": "/w/a"})),
            ),
            ("run", json!({"command": "ls -l; x"}), bash("ls -l; x")),
            ("make_dir", json!({"path": "a b"}), bash("mkdir -p -- 'a b'")),
            (
                "delete",
                json!({"path": "it's", "recursive": false}),
                bash(r"rm -- 'it'\''s'"),
            ),
            (
                "delete",
                json!({"path": "a", "recursive": true}),
                bash("rm -r -- 'a'"),
            ),
            (
                "move",
                json!({"from": "a", "to": "$b"}),
                bash("mv -T -- 'a' '$b'"),
            ),
            (
                "spawn",
                json!({"name": "Task", "input": {"prompt": "x"}}),
                ("Task", json!({"prompt": "x"})),
            ),
        ] {
            let (tool, input) = told(name, args).unwrap();
            assert_eq!((tool.as_str(), input), expected);
        }
    }

    #[test]
    fn what_the_host_would_not_accept_comes_before_no_hook() {
        assert_eq!(told("fetch", json!({})), Err(Unfit::Tool));
        assert_eq!(told("load", json!({"path": "a"})), Err(Unfit::Tool));
        for (name, args) in [
            ("read", json!({})),
            ("read", json!([])),
            ("read", json!({"path": 1})),
            ("read", json!({"path": {"b64": "/w=="}})),
            ("read", json!({"path": "a", "more": 1})),
            ("delete", json!({"path": "a"})),
            ("delete", json!({"path": "a", "recursive": "true"})),
            ("spawn", json!({"name": "Task"})),
        ] {
            assert_eq!(told(name, args), Err(Unfit::Arguments), "{name}");
        }
    }
}
