//! The built-in rules, as data. Every effect meets at least one of them, so that every verdict has a cause.

use super::Preset;
use crate::commands::Fact;
use crate::{Cause, EffectKind, Layer, Risk};

/// Where an effect takes place, as far as the built-in rules care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    /// On a target inside a workspace root.
    Inside,
    /// On a target outside every root.
    Outside,
    /// On no path at all.
    Nowhere,
}

/// A default for one kind of effect.
struct Default {
    id: &'static str,
    kind: EffectKind,
    /// Where it applies; `None` is everywhere.
    scene: Option<Scene>,
    everyday: Risk,
    careful: Risk,
    text: &'static str,
}

const fn default(
    id: &'static str,
    kind: EffectKind,
    scene: Option<Scene>,
    [everyday, careful]: [Risk; 2],
    text: &'static str,
) -> Default {
    Default {
        id,
        kind,
        scene,
        everyday,
        careful,
        text,
    }
}

const IN: Option<Scene> = Some(Scene::Inside);
const OUT: Option<Scene> = Some(Scene::Outside);
const RUN: [Risk; 2] = [Risk::Allow; 2];
const ASK: [Risk; 2] = [Risk::Confirm; 2];
const BY_PRESET: [Risk; 2] = [Risk::Allow, Risk::Confirm];

#[rustfmt::skip]
const DEFAULTS: &[Default] = &[
    default("inside.read",     EffectKind::Read,    IN,   RUN,       "reads inside the workspace"),
    default("inside.list",     EffectKind::List,    IN,   RUN,       "lists inside the workspace"),
    default("inside.search",   EffectKind::Search,  IN,   RUN,       "searches inside the workspace"),
    default("inside.write",    EffectKind::Write,   IN,   BY_PRESET, "writes inside the workspace"),
    default("delete",          EffectKind::Delete,  None, ASK,       "deletes what cannot be brought back"),
    default("inside.move",     EffectKind::Move,    IN,   BY_PRESET, "moves inside the workspace"),
    default("link",            EffectKind::Link,    None, ASK,       "makes a link, which opens another way to its target"),
    default("execute",         EffectKind::Execute, None, ASK,       "runs a program"),
    default("spawn",           EffectKind::Spawn,   None, BY_PRESET, "starts a sub-agent, whose calls are judged like any other"),
    default("connect",         EffectKind::Connect, None, ASK,       "talks to the network"),
    default("command.opaque",  EffectKind::Opaque,  None, ASK,       "what it does cannot be told before it runs"),
    default("outside.read",    EffectKind::Read,    OUT,  ASK,       "reads outside the workspace"),
    default("outside.list",    EffectKind::List,    OUT,  ASK,       "lists outside the workspace"),
    default("outside.search",  EffectKind::Search,  OUT,  ASK,       "searches outside the workspace"),
    default("outside.write",   EffectKind::Write,   OUT,  ASK,       "writes outside the workspace"),
    default("outside.delete",  EffectKind::Delete,  OUT,  ASK,       "deletes outside the workspace"),
    default("outside.move",    EffectKind::Move,    OUT,  ASK,       "moves outside the workspace"),
    default("outside.link",    EffectKind::Link,    OUT,  ASK,       "makes a link outside the workspace"),
    default("outside.execute", EffectKind::Execute, OUT,  ASK,       "runs a program outside the workspace"),
];

/// What a command does besides what its operands say.
struct Deed {
    fact: Fact,
    id: &'static str,
    kind: EffectKind,
    risks: [Risk; 2],
    text: &'static str,
}

const fn deed(fact: Fact, id: &'static str, kind: EffectKind, risks: [Risk; 2], text: &'static str) -> Deed {
    Deed {
        fact,
        id,
        kind,
        risks,
        text,
    }
}

/// `project-code` is not here: whether it runs is a matter of trust.
#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    deed(Fact::Repository,  "command.repository",  EffectKind::Write,   BY_PRESET, "changes what the repository records"),
    deed(Fact::WorkTree,    "command.work-tree",   EffectKind::Write,   BY_PRESET, "changes files to what the repository records"),
    deed(Fact::Discards,    "command.discards",    EffectKind::Delete,  ASK,       "throws away work that is recorded nowhere else"),
    deed(Fact::Fetches,     "command.fetches",     EffectKind::Connect, BY_PRESET, "fetches from hosts that the project names"),
    deed(Fact::Connects,    "command.connects",    EffectKind::Connect, ASK,       "talks to the network"),
    deed(Fact::Publishes,   "command.publishes",   EffectKind::Connect, ASK,       "changes what others see"),
    deed(Fact::Installs,    "command.installs",    EffectKind::Execute, ASK,       "gets programs from elsewhere"),
    deed(Fact::System,      "command.system",      EffectKind::Execute, ASK,       "changes the machine"),
    deed(Fact::Processes,   "command.processes",   EffectKind::Execute, ASK,       "ends or stops processes"),
    deed(Fact::Privilege,   "command.privilege",   EffectKind::Execute, ASK,       "runs something with the rights of somebody else"),
    deed(Fact::Environment, "command.environment", EffectKind::Read,    ASK,       "shows the environment, which may hold secrets"),
    deed(Fact::Interactive, "command.interactive", EffectKind::Opaque,  ASK,       "waits for a person, whose commands then run"),
    deed(Fact::InputCode,   "command.input-code",  EffectKind::Opaque,  ASK,       "runs its input as code"),
    deed(Fact::Opaque,      "command.hidden",      EffectKind::Opaque,  ASK,       "runs what is not read here"),
];

/// The kind and the cause of what a command does besides what its operands say; `None` for what is judged elsewhere.
pub(crate) fn deed_cause(preset: Preset, fact: Fact) -> Option<(EffectKind, Cause)> {
    let deed = DEEDS.iter().find(|deed| deed.fact == fact)?;
    Some((
        deed.kind,
        Cause::new(deed.id, Layer::BuiltIn, by_preset(deed.risks, preset), deed.text),
    ))
}

const fn by_preset([everyday, careful]: [Risk; 2], preset: Preset) -> Risk {
    match preset {
        Preset::Everyday => everyday,
        Preset::Careful => careful,
    }
}

/// A built-in rule that no preset changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixed {
    pub(crate) id: &'static str,
    pub(crate) risk: Risk,
    text: &'static str,
}

const fn fixed(id: &'static str, risk: Risk, text: &'static str) -> Fixed {
    Fixed { id, risk, text }
}

#[rustfmt::skip]
pub(crate) mod rules {
    use super::{Fixed, Risk, fixed};

    pub(crate) const TOOL_UNKNOWN:    Fixed = fixed("tool.unknown",    Risk::Deny,    "no tool of this name is registered");
    pub(crate) const ARGUMENTS_BAD:   Fixed = fixed("arguments.bad",   Risk::Deny,    "the arguments do not fit the tool");
    pub(crate) const CWD_MISSING:     Fixed = fixed("cwd.missing",     Risk::Deny,    "the call names no working directory, and a path needs one");
    pub(crate) const TOO_MANY:        Fixed = fixed("effects.too-many", Risk::Deny,   "it would touch more than 128 things at once");
    pub(crate) const ZONE_UNOPENED:   Fixed = fixed("zone.unopened",   Risk::Deny,    "the place of a rule was not opened");
    pub(crate) const NO_EFFECTS:      Fixed = fixed("no-effects",      Risk::Allow,   "touches neither files nor programs nor the network");
    pub(crate) const EFFECT_UNKNOWN:  Fixed = fixed("effect.unknown",  Risk::Confirm, "no rule knows this kind of effect");
    pub(crate) const HARD_LINKED:     Fixed = fixed("hard-linked",     Risk::Confirm, "the file has other names, which would change with it");
    pub(crate) const NAMES_UNTOLD:    Fixed = fixed("names-untold",    Risk::Confirm, "the file has other names, and where they lie could not be told");
    pub(crate) const WEAK_IDENTITY:   Fixed = fixed("weak-identity",   Risk::Confirm, "the file system does not tell objects apart reliably");
    pub(crate) const UNUSUAL_NAME:    Fixed = fixed("unusual-name",    Risk::Confirm, "the new name holds characters that cannot be seen");
    pub(crate) const CONCERN_UNKNOWN: Fixed = fixed("concern.unknown", Risk::Confirm, "something about the target wants a look");
    pub(crate) const AGENT_CWD:       Fixed = fixed("agent.cwd",       Risk::Confirm, "the sub-agent would work in another directory");
    pub(crate) const AGENT_UNSCANNABLE: Fixed = fixed("agent.unscannable", Risk::Deny, "the arguments of a call that may start a sub-agent cannot be looked through");
    pub(crate) const GLOB_UNTOLD:     Fixed = fixed("glob.untold",     Risk::Confirm, "what the pattern selects could not be looked at to the end");
    pub(crate) const OUTSIDE_UNHELD:  Fixed = fixed("outside.unheld",  Risk::Confirm, "no object can be held there");
    pub(crate) const OTHERWISE:       Fixed = fixed("otherwise",       Risk::Deny,    "no rule names it, and the policy denies what no rule names");
    pub(crate) const LAYER_BROKEN:    Fixed = fixed("layer.broken",    Risk::Confirm, "the configuration is broken");

    pub(crate) const COMMAND_TEXT:    Fixed = fixed("command.text",    Risk::Allow,   "runs a text whose commands are judged one by one");
    pub(crate) const COMMAND_KNOWN:   Fixed = fixed("command.known",   Risk::Allow,   "runs a program whose words are understood");
    pub(crate) const COMMAND_UNKNOWN: Fixed = fixed("command.unknown", Risk::Confirm, "runs a program that is not known");
    pub(crate) const COMMAND_UNREAD:  Fixed = fixed("command.not-understood", Risk::Confirm, "a word of the command is not understood");
    pub(crate) const COMMAND_OUTSIDE: Fixed = fixed("command.outside", Risk::Confirm, "works on a project outside the workspace");
    pub(crate) const PROJECT_CODE:    Fixed = fixed("project.untrusted", Risk::Confirm, "runs code of a project that is not trusted");
    pub(crate) const PROJECT_TRUSTED: Fixed = fixed("project.trusted", Risk::Allow,   "runs code of a trusted project");
    pub(crate) const FRESH_CODE:      Fixed = fixed("project.fresh",   Risk::Confirm, "runs a file that the same command writes, and that nobody has seen");
    pub(crate) const OPERAND_MOVES:   Fixed = fixed("operand.unknown", Risk::Confirm, "which place it means is known only when it runs");
    pub(crate) const FROM_NOWHERE:    Fixed = fixed("directory.unknown", Risk::Confirm, "in which directory it runs is known only when it runs");
    pub(crate) const NOTHING_THERE:   Fixed = fixed("nothing-there",   Risk::Allow,   "nothing is there to act on");
    pub(crate) const MAY_COME:        Fixed = fixed("nothing-there-yet", Risk::Confirm, "nothing is there yet, and what comes before may put a link there");
    pub(crate) const TEMPORARY_LIST:  Fixed = fixed("temporary.list",  Risk::Allow,   "lists the directory for temporary files");
    pub(crate) const MOUNT_BELOW:     Fixed = fixed("mount.below",     Risk::Confirm, "a mount lies below, and what is in it would be read, go or change as well");
    pub(crate) const MOUNTED:         Fixed = fixed("mount",           Risk::Confirm, "somebody else may then read and write there");
    pub(crate) const LOOPBACK:        Fixed = fixed("connect.loopback", Risk::Allow,  "talks to this machine alone");
    pub(crate) const RUIN:            Fixed = fixed("ruin",            Risk::Deny,    "what it takes away cannot be missed");
    pub(crate) const DOWNLOAD_RUN:    Fixed = fixed("download.run",    Risk::Deny,    "runs what it downloads, unseen");

    pub(crate) const REVIEW_ALWAYS:   Fixed = fixed("review.always",   Risk::Confirm, "every call of this tool is reviewed");
    pub(crate) const REVIEW_UNTOLD:   Fixed = fixed("review.untold",   Risk::Confirm, "whether the path is private could not be told");

    pub(crate) const PRIVATE_BELOW:   Fixed = fixed("private.below",   Risk::Confirm, "what is searched holds private data");
    pub(crate) const SEARCH_UNTOLD:   Fixed = fixed("search.untold",   Risk::Confirm, "what the search reaches could not be looked at to the end");

    pub(super) const ALL: &[Fixed] = &[
        PRIVATE_BELOW, SEARCH_UNTOLD, REVIEW_ALWAYS, REVIEW_UNTOLD,
        TOOL_UNKNOWN, ARGUMENTS_BAD, CWD_MISSING, TOO_MANY, ZONE_UNOPENED, NO_EFFECTS, EFFECT_UNKNOWN, HARD_LINKED, NAMES_UNTOLD,
        WEAK_IDENTITY, UNUSUAL_NAME, CONCERN_UNKNOWN, AGENT_CWD, AGENT_UNSCANNABLE, GLOB_UNTOLD,
        OUTSIDE_UNHELD, OTHERWISE, LAYER_BROKEN, COMMAND_TEXT, COMMAND_KNOWN, COMMAND_UNKNOWN, COMMAND_UNREAD, COMMAND_OUTSIDE, PROJECT_CODE, PROJECT_TRUSTED, FRESH_CODE,
        OPERAND_MOVES, FROM_NOWHERE, NOTHING_THERE, MAY_COME, TEMPORARY_LIST, MOUNT_BELOW, MOUNTED, LOOPBACK, RUIN, DOWNLOAD_RUN,
    ];
}

impl Fixed {
    /// The cause that this rule gives.
    pub(crate) fn cause(&self) -> Cause {
        self.because(self.text)
    }
    /// The same with a more exact sentence.
    pub(crate) fn because(&self, text: &str) -> Cause {
        Cause::new(self.id, Layer::BuiltIn, self.risk, text)
    }
}

/// The causes that the defaults give for an effect, at least one.
pub(super) fn causes(preset: Preset, kind: EffectKind, scene: Scene) -> Vec<Cause> {
    let mut causes: Vec<Cause> = DEFAULTS
        .iter()
        .filter(|default| default.kind == kind && default.scene.is_none_or(|only| only == scene))
        .map(|default| Cause::new(default.id, Layer::BuiltIn, default.risk(preset), default.text))
        .collect();
    if causes.is_empty() {
        causes.push(rules::EFFECT_UNKNOWN.cause());
    }
    causes
}

/// What a built-in question is about, as far as review levels care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matter {
    /// What happens cannot be told. No level takes this question away (invariant 6).
    Doubt,
    /// Something private to read or sensitive to change.
    Private,
    /// Something outside the workspace, or beyond the machine.
    Outside,
    /// Something known, in the workspace, that is asked about all the same.
    Deed,
}

/// Ids of questions about known things in the workspace.
const OF_DEEDS: [&str; 9] = [
    "inside.write",
    "inside.move",
    "delete",
    "link",
    "spawn",
    "command.repository",
    "command.work-tree",
    "command.discards",
    "command.fetches",
];

/// Ids of questions about what is beyond the workspace, besides those that say `outside`.
const OF_OUTSIDE: [&str; 10] = [
    "connect",
    "command.outside",
    "command.connects",
    "command.publishes",
    "command.installs",
    "command.system",
    "command.processes",
    "command.privilege",
    "agent.cwd",
    "mount",
];

/// What the question of a built-in rule is about. Whatever is not known to be something milder is a doubt.
pub(crate) fn matter(rule: &str) -> Matter {
    if rule.starts_with("private.") || rule.starts_with("sensitive.") || rule == "command.environment" {
        Matter::Private
    } else if rule.starts_with("outside.") || OF_OUTSIDE.contains(&rule) {
        Matter::Outside
    } else if OF_DEEDS.contains(&rule) {
        Matter::Deed
    } else {
        Matter::Doubt
    }
}

/// Whether an id belongs to the house.
pub(super) fn is_reserved(id: &str) -> bool {
    ["path.", "private.", "sensitive.", "catalogue."]
        .iter()
        .any(|house| id.starts_with(house))
        || DEFAULTS.iter().any(|default| default.id == id)
        || rules::ALL.iter().any(|rule| rule.id == id)
        || DEEDS.iter().any(|deed| deed.id == id)
}

/// Everything here that decides, for the policy's version.
pub(super) fn decisions(preset: Preset) -> impl Iterator<Item = (&'static str, Risk)> {
    DEFAULTS
        .iter()
        .map(move |default| (default.id, default.risk(preset)))
        .chain(rules::ALL.iter().map(|rule| (rule.id, rule.risk)))
        .chain(
            DEEDS
                .iter()
                .map(move |deed| (deed.id, by_preset(deed.risks, preset))),
        )
}

impl Default {
    fn risk(&self, preset: Preset) -> Risk {
        by_preset([self.everyday, self.careful], preset)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique() {
        let ids: Vec<_> = decisions(Preset::Everyday).map(|(id, _)| id).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        assert!(ids.into_iter().all(is_reserved));
        assert!(!is_reserved("mine"));
    }

    /// A name in the lists that is no rule would lift nothing; a rule of a kind that is not understood is never lifted.
    #[test]
    fn what_levels_lift_is_known() {
        let ids: Vec<_> = decisions(Preset::Careful).collect();
        for id in OF_DEEDS.iter().chain(&OF_OUTSIDE) {
            assert!(ids.iter().any(|(known, _)| known == id), "{id}");
        }
        let opaque = DEEDS.iter().filter(|deed| deed.kind == EffectKind::Opaque);
        for id in opaque
            .map(|deed| deed.id)
            .chain(["command.opaque", "command.unknown", "project.untrusted"])
        {
            assert_eq!(matter(id), Matter::Doubt, "{id}");
        }
        for (id, _) in ids.iter().filter(|(id, _)| id.starts_with("outside.")) {
            assert_eq!(matter(id), Matter::Outside, "{id}");
        }
    }

    #[test]
    fn careful_is_nowhere_milder_and_every_effect_meets_a_rule() {
        for kind in EffectKind::ALL {
            for scene in [Scene::Inside, Scene::Outside, Scene::Nowhere] {
                let everyday = Risk::join_all(
                    causes(Preset::Everyday, kind, scene)
                        .iter()
                        .map(|cause| cause.risk),
                );
                let careful = Risk::join_all(
                    causes(Preset::Careful, kind, scene)
                        .iter()
                        .map(|cause| cause.risk),
                );
                assert!(careful >= everyday, "{kind:?} {scene:?}");
                // Each call of a sub-agent is judged; starting one in the same directory does nothing else.
                if scene != Scene::Inside && kind != EffectKind::Spawn {
                    assert!(everyday >= Risk::Confirm, "{kind:?} {scene:?}");
                }
            }
        }
    }
}
