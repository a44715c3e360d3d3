//! Whose JSON it is: from one value to the parts of a call.

mod claude_code;
mod fields;
mod own;
mod pi;

use std::path::PathBuf;

use serde_json::Value;

use super::CallError;
use fields::Fields;

/// Whose shape the JSON text has. It is never guessed: what one host calls harmless another may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Ours: `id`, `tool`, `args`, `cwd` (or `cwd_hex`, for one that is not UTF-8), `session`, `agent`,
    /// `message`; unknown members are errors.
    Portcullis,
    /// A Claude Code hook input (`tool_name`, `tool_input`, `tool_use_id`, `session_id`, `cwd`, ...), or one
    /// recorded block (`"type": "tool_use"`, `id`, `name`, `input`). Other members are tolerated, because the
    /// host's versions drift. It names no message: `prompt_id` is that of all messages which answer one prompt, and
    /// `tool_use_id` that of one call. The hook runs before each call, so that a call is judged on what the ones before it
    /// left.
    ClaudeCode,
    /// A Pi `tool_call` event (`toolName`, `toolCallId`, `input`, ...), or one recorded block
    /// (`"type": "toolCall"`, `id`, `name`, `arguments`). Other members are tolerated. It names no message, and Pi has all
    /// calls of one judged before the first runs: its host has to say when a message begins
    /// (`portcullis_gate::Gate::new_batch`), or let tools run one after the other.
    Pi,
}

/// The parts of a call, checked.
pub(super) struct Parts {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) cwd: Option<PathBuf>,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) message: Option<String>,
}

impl Shape {
    pub(super) fn parts(self, value: Value) -> Result<Parts, CallError> {
        let fields = Fields::new(value)?;
        match self {
            Self::Portcullis => own::parts(fields),
            Self::ClaudeCode => claude_code::parts(fields),
            Self::Pi => pi::parts(fields),
        }
    }
}
