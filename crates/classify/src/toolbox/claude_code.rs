//! Claude Code's tools, by the names and arguments of its own type declarations. A tool whose effects are not
//! known is not here, and so is denied. Unknown members are tolerated: the host's versions drift, and members
//! that carry an effect are named.

use portcullis_paths::{Dialect, Operation};

use super::Language;
use super::params::{Builtin, Kind, Member, Unknown, command, glob, may, needs, path, path_or_cwd, url};
use crate::EffectKind;

const CLAUDE: &Dialect = &Dialect::CLAUDE_CODE;

static TEXT: Kind = Kind::Text;
static ANY: Kind = Kind::Any;
static EDIT: [Member; 3] = [
    needs("old_string", Kind::Text),
    needs("new_string", Kind::Text),
    may("replace_all", Kind::Flag),
];
static EDITS: Kind = Kind::Record(&EDIT);
static QUESTION: Kind = Kind::Object;

pub(super) static TOOLS: [Builtin; 27] = [
    tool(
        "Read",
        &[
            path("file_path", Operation::Read, CLAUDE),
            may("offset", Kind::Number),
            may("limit", Kind::Number),
            may("pages", Kind::Text),
        ],
        &[],
    ),
    tool(
        "Write",
        &[
            path("file_path", Operation::Write, CLAUDE),
            needs("content", Kind::Text),
        ],
        &[],
    ),
    tool(
        "Edit",
        &[
            path("file_path", Operation::Write, CLAUDE),
            needs("old_string", Kind::Text),
            needs("new_string", Kind::Text),
            may("replace_all", Kind::Flag),
        ],
        &[],
    ),
    tool(
        "MultiEdit",
        &[
            path("file_path", Operation::Write, CLAUDE),
            needs("edits", Kind::List(&EDITS)),
        ],
        &[],
    ),
    tool(
        "NotebookEdit",
        &[
            path("notebook_path", Operation::Write, CLAUDE),
            needs("new_source", Kind::Text),
            may("cell_id", Kind::Text),
            may("cell_type", Kind::Text),
            may("edit_mode", Kind::Text),
        ],
        &[],
    ),
    tool(
        "NotebookRead",
        &[path("notebook_path", Operation::Read, CLAUDE)],
        &[],
    ),
    tool(
        "LS",
        &[
            path_or_cwd("path", Operation::List, CLAUDE),
            may("ignore", Kind::List(&TEXT)),
        ],
        &[],
    ),
    tool(
        "Glob",
        &[
            glob("pattern", true, Operation::Search, CLAUDE),
            path_or_cwd("path", Operation::Search, CLAUDE),
        ],
        &[],
    ),
    tool(
        "Grep",
        &[
            needs("pattern", Kind::Text),
            path_or_cwd("path", Operation::Search, CLAUDE),
            glob("glob", false, Operation::Search, CLAUDE),
            may("type", Kind::Text),
            may("output_mode", Kind::Text),
            may("multiline", Kind::Flag),
            may("head_limit", Kind::Number),
        ],
        &[],
    ),
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
    agent("Agent"),
    agent("Task"),
    // A prompt that the host will run later, without anyone watching.
    tool(
        "CronCreate",
        &[may("prompt", Kind::Text), may("cron", Kind::Text)],
        &[EffectKind::Spawn, EffectKind::Opaque],
    ),
    tool("RemoteTrigger", &[], &[EffectKind::Spawn, EffectKind::Connect]),
    // A skill is instructions of somebody's, and its text may run commands.
    tool("Skill", &[may("args", Kind::Text)], &[EffectKind::Opaque]),
    tool(
        "SlashCommand",
        &[needs("command", Kind::Text)],
        &[EffectKind::Opaque],
    ),
    // What an MCP server does to answer is not known.
    tool(
        "ReadMcpResource",
        &[needs("server", Kind::Text), needs("uri", Kind::Text)],
        &[EffectKind::Opaque],
    ),
    // Ends a process that the agent itself started.
    tool(
        "KillShell",
        &[may("shell_id", Kind::Text)],
        &[EffectKind::Execute],
    ),
    tool("TaskStop", &[may("task_id", Kind::Text)], &[EffectKind::Execute]),
    // From here on: the agent's own notes and questions to the user. No file, process or connection.
    tool("TodoWrite", &[needs("todos", Kind::List(&ANY))], &[]),
    tool(
        "AskUserQuestion",
        &[needs("questions", Kind::List(&QUESTION))],
        &[],
    ),
    tool("EnterPlanMode", &[], &[]),
    tool(
        "BashOutput",
        &[needs("bash_id", Kind::Text), may("filter", Kind::Text)],
        &[],
    ),
];

const fn tool(name: &'static str, members: &'static [Member], inherent: &'static [EffectKind]) -> Builtin {
    Builtin {
        name,
        members,
        unknown: Unknown::Tolerated,
        inherent,
    }
}

const fn agent(name: &'static str) -> Builtin {
    const MEMBERS: &[Member] = &[
        needs("description", Kind::Text),
        needs("prompt", Kind::Text),
        may("subagent_type", Kind::Text),
        may("isolation", Kind::Text),
        may("mode", Kind::Text),
    ];
    tool(name, MEMBERS, &[EffectKind::Spawn])
}
