//! Tools that start agents, now or later, or change what the agent may do.

use portcullis_paths::{Dialect, Operation};

use super::tool;
use crate::EffectKind;
use crate::toolbox::params::{Builtin, Kind, Member, may, may_path, needs};

static OBJECT: Kind = Kind::Object;

pub(super) static TOOLS: [Builtin; 10] = [
    agent("Agent"),
    agent("Task"),
    tool(
        "Workflow",
        &[
            may_path("scriptPath", Operation::Read, &Dialect::CLAUDE_CODE),
            may("script", Kind::Text),
            may("name", Kind::Text),
        ],
        &[EffectKind::Spawn, EffectKind::Opaque],
    ),
    // Prompts that the host will run later, without anyone watching.
    tool(
        "CronCreate",
        &[
            needs("cron", Kind::Text),
            needs("prompt", Kind::Text),
            may("recurring", Kind::Flag),
            may("durable", Kind::Flag),
        ],
        &[EffectKind::Spawn, EffectKind::Opaque],
    ),
    tool("CronDelete", &[needs("id", Kind::Text)], &[EffectKind::Opaque]),
    tool(
        "ScheduleWakeup",
        &[
            may("delaySeconds", Kind::Number),
            may("prompt", Kind::Text),
            may("stop", Kind::Flag),
        ],
        &[EffectKind::Spawn, EffectKind::Opaque],
    ),
    tool(
        "RemoteTrigger",
        &[needs("action", Kind::Text), may("body", Kind::Object)],
        &[EffectKind::Spawn, EffectKind::Connect],
    ),
    // A skill is instructions of somebody's, and its text may run commands.
    tool("Skill", &[may("args", Kind::Text)], &[EffectKind::Opaque]),
    tool(
        "SlashCommand",
        &[needs("command", Kind::Text)],
        &[EffectKind::Opaque],
    ),
    // Its `allowedPrompts` asks for leave to run commands.
    tool(
        "ExitPlanMode",
        &[may("allowedPrompts", Kind::List(&OBJECT))],
        &[EffectKind::Opaque],
    ),
];

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
