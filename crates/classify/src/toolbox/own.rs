//! The tools that the gate itself knows how to judge and, for most, to perform.

use portcullis_paths::{Dialect, Operation};

use super::Language;
use super::params::{
    Builtin, Kind, Member, Unknown, command, edited, may, needs, path, path_or_cwd, path_unless,
};

const AGENT: &Dialect = &Dialect::AGENT;

/// Tools with an effect behind a permit.
pub(super) static FILES: [Builtin; 7] = [
    own("read_file", &[path("path", Operation::Read, AGENT)]),
    own(
        "write_file",
        &[
            path("path", Operation::Write, AGENT),
            needs("content", Kind::Text),
        ],
    ),
    own(
        "edit_file",
        &[
            edited("path", AGENT),
            needs("old_text", Kind::Text),
            needs("new_text", Kind::Text),
        ],
    ),
    own(
        "delete_file",
        &[
            path_unless(
                "path",
                Operation::Delete,
                AGENT,
                "recursive",
                Operation::DeleteTree,
            ),
            may("recursive", Kind::Flag),
        ],
    ),
    own(
        "move_file",
        &[
            path("from", Operation::MoveFrom, AGENT),
            path("to", Operation::MoveTo, AGENT),
        ],
    ),
    own("make_dir", &[path("path", Operation::MakeDir, AGENT)]),
    own("list_dir", &[path_or_cwd("path", Operation::List, AGENT)]),
];

/// The tool that starts a program, which the gate performs as well.
pub(super) static COMMAND: [Builtin; 1] = [own("run_command", &[command("command", true, Language::Shell)])];

/// Tools that are judged here and performed by the host.
pub(super) static OTHERS: [Builtin; 1] = [own(
    "search",
    &[
        needs("pattern", Kind::Text),
        path_or_cwd("path", Operation::Search, AGENT),
    ],
)];

const fn own(name: &'static str, members: &'static [Member]) -> Builtin {
    Builtin {
        name,
        members,
        unknown: Unknown::Forbidden,
        inherent: &[],
    }
}
