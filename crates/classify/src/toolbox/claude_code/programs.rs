//! Tools that run programs or talk to others.

use portcullis_paths::{Dialect, Operation};

use super::tool;
use crate::EffectKind;
use crate::toolbox::Language;
use crate::toolbox::params::{Builtin, Kind, command, may, may_path, needs, url};

static TEXT: Kind = Kind::Text;

pub(super) static TOOLS: [Builtin; 14] = [
    tool(
        "Bash",
        &[
            command("command", true, Language::Shell),
            may("timeout", Kind::Number),
            may("description", Kind::Text),
            may("run_in_background", Kind::Flag),
            may("dangerouslyDisableSandbox", Kind::Flag),
        ],
        &[],
    ),
    tool(
        "PowerShell",
        &[
            command("command", true, Language::PowerShell),
            may("timeout", Kind::Number),
            may("description", Kind::Text),
            may("run_in_background", Kind::Flag),
        ],
        &[],
    ),
    // It runs a shell command or listens on a socket, and what it hears starts new turns.
    tool(
        "Monitor",
        &[
            command("command", false, Language::Shell),
            may("description", Kind::Text),
            may("timeout_ms", Kind::Number),
            may("ws", Kind::Object),
        ],
        &[EffectKind::Execute, EffectKind::Connect],
    ),
    // Ends a process that the agent itself started.
    tool(
        "KillShell",
        &[may("shell_id", Kind::Text)],
        &[EffectKind::Execute],
    ),
    tool(
        "TaskStop",
        &[may("task_id", Kind::Text), may("shell_id", Kind::Text)],
        &[EffectKind::Execute],
    ),
    // Both run git on a working tree; leaving may remove it.
    tool(
        "EnterWorktree",
        &[
            may_path("path", Operation::WorkingDir, &Dialect::CLAUDE_CODE),
            may("name", Kind::Text),
        ],
        &[EffectKind::Execute],
    ),
    tool(
        "ExitWorktree",
        &[needs("action", Kind::Text), may("discard_changes", Kind::Flag)],
        &[EffectKind::Execute, EffectKind::Opaque],
    ),
    tool(
        "WebFetch",
        &[url("url"), may("prompt", Kind::Text)],
        &[EffectKind::Connect],
    ),
    tool(
        "WebSearch",
        &[
            needs("query", Kind::Text),
            may("allowed_domains", Kind::List(&TEXT)),
            may("blocked_domains", Kind::List(&TEXT)),
        ],
        &[EffectKind::Connect],
    ),
    tool(
        "PushNotification",
        &[needs("message", Kind::Text)],
        &[EffectKind::Connect],
    ),
    // What an MCP server does to answer is not known.
    tool(
        "ListMcpResourcesTool",
        &[may("server", Kind::Text)],
        &[EffectKind::Opaque],
    ),
    tool(
        "ReadMcpResource",
        &[needs("server", Kind::Text), needs("uri", Kind::Text)],
        &[EffectKind::Opaque],
    ),
    tool(
        "ReadMcpResourceTool",
        &[needs("server", Kind::Text), needs("uri", Kind::Text)],
        &[EffectKind::Opaque],
    ),
    tool(
        "ReadMcpResourceDirTool",
        &[needs("server", Kind::Text), needs("uri", Kind::Text)],
        &[EffectKind::Opaque],
    ),
];
