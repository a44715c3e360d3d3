//! The agent's own notes, its questions to the user and the output of what it already runs. No file, process or
//! connection: these run unasked, so each needs a reason to be here.

use super::tool;
use crate::toolbox::params::{Builtin, Kind, may, needs};

static ANY: Kind = Kind::Any;
static OBJECT: Kind = Kind::Object;

pub(super) static TOOLS: [Builtin; 10] = [
    tool("TodoWrite", &[needs("todos", Kind::List(&ANY))], &[]),
    tool(
        "TaskCreate",
        &[needs("subject", Kind::Text), needs("description", Kind::Text)],
        &[],
    ),
    tool("TaskGet", &[needs("taskId", Kind::Text)], &[]),
    tool("TaskUpdate", &[needs("taskId", Kind::Text)], &[]),
    tool("TaskList", &[], &[]),
    tool("CronList", &[], &[]),
    tool("AskUserQuestion", &[needs("questions", Kind::List(&OBJECT))], &[]),
    tool("EnterPlanMode", &[], &[]),
    // Loads descriptions of tools that the host already offers.
    tool("ToolSearch", &[needs("query", Kind::Text)], &[]),
    tool(
        "BashOutput",
        &[needs("bash_id", Kind::Text), may("filter", Kind::Text)],
        &[],
    ),
];
