//! Other people's gates as subjects. An adapter translates between the protocol and what a gate really speaks, and acts
//! as the gate's host would; it adds no decision of its own.

mod hook;
mod mcp;
mod serve;

use std::process::ExitCode;

pub(crate) use hook::{Hook, NoOpinion, OnFailure, Options as HookOptions};
use mcp::Filesystem;
use serve::serve;

/// Serves the hook as a subject until `bye`.
pub(crate) fn claude_code_hook(options: HookOptions) -> ExitCode {
    serve(&mut Hook::new(options))
}

/// Serves the server for files as a subject until `bye`.
pub(crate) fn mcp_filesystem(command: Vec<String>, version: String) -> ExitCode {
    serve(&mut Filesystem::new(command, version))
}
