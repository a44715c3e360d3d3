//! Pi's tools. Unknown members are tolerated, as Pi keeps them; nothing is coerced, although Pi coerces:
//! what a `tool_call` event shows is already converted.

use portcullis_paths::{Dialect, Operation};

use super::Language;
use super::params::{Builtin, Kind, Member, Unknown, command, edited, glob, may, needs, path, path_or_cwd};

const PI: &Dialect = &Dialect::PI;
const PI_READ: &Dialect = &Dialect::PI_READ;

static EDIT: [Member; 2] = [needs("oldText", Kind::Text), needs("newText", Kind::Text)];
static EDITS: Kind = Kind::Record(&EDIT);

pub(super) static TOOLS: [Builtin; 8] = [
    pi(
        "bash",
        &[
            command("command", true, Language::Shell),
            may("timeout", Kind::Number),
        ],
    ),
    pi(
        "powershell",
        &[
            command("command", true, Language::PowerShell),
            may("timeout", Kind::Number),
        ],
    ),
    pi(
        "read",
        &[
            path("path", Operation::Read, PI_READ),
            may("offset", Kind::Number),
            may("limit", Kind::Number),
        ],
    ),
    pi(
        "write",
        &[path("path", Operation::Write, PI), needs("content", Kind::Text)],
    ),
    // `oldText` and `newText` at the top are the older form of one edit.
    pi(
        "edit",
        &[
            edited("path", PI),
            may("edits", Kind::List(&EDITS)),
            may("oldText", Kind::Text),
            may("newText", Kind::Text),
        ],
    ),
    pi(
        "grep",
        &[
            needs("pattern", Kind::Text),
            path_or_cwd("path", Operation::Search, PI),
            glob("glob", false, Operation::Search, PI),
            may("ignoreCase", Kind::Flag),
            may("literal", Kind::Flag),
            may("context", Kind::Number),
            may("limit", Kind::Number),
        ],
    ),
    pi(
        "find",
        &[
            glob("pattern", true, Operation::Search, PI),
            path_or_cwd("path", Operation::Search, PI),
            may("limit", Kind::Number),
        ],
    ),
    pi(
        "ls",
        &[
            path_or_cwd("path", Operation::List, PI),
            may("limit", Kind::Number),
        ],
    ),
];

const fn pi(name: &'static str, members: &'static [Member]) -> Builtin {
    Builtin {
        name,
        members,
        unknown: Unknown::Tolerated,
        inherent: &[],
    }
}
