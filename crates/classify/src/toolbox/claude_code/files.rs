//! Tools that name files.

use portcullis_paths::{Dialect, Operation};

use super::tool;
use crate::toolbox::params::{Builtin, Kind, Member, edited, glob, may, needs, path, path_or_cwd};

const CLAUDE: &Dialect = &Dialect::CLAUDE_CODE;

static TEXT: Kind = Kind::Text;
static EDIT: [Member; 3] = [
    needs("old_string", Kind::Text),
    needs("new_string", Kind::Text),
    may("replace_all", Kind::Flag),
];
static EDITS: Kind = Kind::Record(&EDIT);

pub(super) static TOOLS: [Builtin; 9] = [
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
            edited("file_path", CLAUDE),
            needs("old_string", Kind::Text),
            needs("new_string", Kind::Text),
            may("replace_all", Kind::Flag),
        ],
        &[],
    ),
    tool(
        "MultiEdit",
        &[edited("file_path", CLAUDE), needs("edits", Kind::List(&EDITS))],
        &[],
    ),
    tool(
        "NotebookEdit",
        &[
            edited("notebook_path", CLAUDE),
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
];
