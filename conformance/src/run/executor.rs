//! Performs allowed calls for subjects that only decide.

use std::path::Path;

use serde_json::Value;

use crate::os::{disk, perform};
use crate::sandbox::Sandbox;

/// What became of it, and an alarm when the runner refused to do it for its own safety.
pub(crate) struct Performed {
    pub(crate) result: Result<String, String>,
    pub(crate) alarm: Option<String>,
}

pub(crate) fn perform(sandbox: &Sandbox, tool: &str, args: &Value, cwd: &str) -> Performed {
    let cwd = Path::new(cwd);
    // What an agent makes of a text that it was allowed to call with.
    let read;
    let (tool, args) = match tool.strip_prefix("raw:") {
        None => (tool, args),
        Some(tool) => {
            let text = args.get("raw").and_then(Value::as_str).unwrap_or_default();
            read = serde_json::from_str(text).unwrap_or_default();
            (tool, &read)
        }
    };
    if !perform::is_confined(args, cwd, &sandbox.root) {
        return Performed {
            result: Err("not performed".to_owned()),
            alarm: Some("it was allowed and would have left the sandbox".to_owned()),
        };
    }
    if tool == "run" {
        for witness in sandbox.witnesses.keys() {
            let gate = sandbox.hold_file(witness);
            if disk::is_there(&gate) {
                // A held witness is let go as soon as it waits; the thread ends with it.
                std::thread::spawn(move || disk::write(&gate, ""));
            }
        }
    }
    Performed {
        result: perform::perform(tool, args, cwd),
        alarm: None,
    }
}
