//! Where agents keep what decides whether they ask a gate at all: their hooks, and what switches hooks off.

use std::path::{Path, PathBuf};

/// In the project and in the user's home alike.
const EVERYWHERE: [&str; 9] = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".agents/plugins",
    ".amp/settings.json",
];

/// In a project alone.
const IN_A_PROJECT: [&str; 5] = [
    ".opencode/plugin",
    ".opencode/plugins",
    ".pi/extensions",
    ".pi/settings.json",
    "opencode.json",
];

/// In the user's home alone.
const AT_HOME: [&str; 10] = [
    ".claude.json",
    ".config/amp/settings.json",
    ".config/opencode/opencode.json",
    ".config/opencode/plugin",
    ".config/opencode/plugins",
    ".gemini/policies",
    ".gemini/trusted_hooks.json",
    ".pi/agent/extensions",
    ".pi/agent/settings.json",
    ".pi/agent/trust.json",
];

/// For every user of the machine.
const OF_THE_MACHINE: [&str; 3] = ["/etc/claude-code", "/etc/codex", "/etc/gemini-cli"];

/// All of them, for these workspace roots and this home.
pub(super) fn settings<'a>(
    roots: &'a [PathBuf],
    home: Option<&'a Path>,
) -> impl Iterator<Item = PathBuf> + 'a {
    let below = |directory: &Path, names: &[&str]| -> Vec<PathBuf> {
        names.iter().map(|name| directory.join(name)).collect()
    };
    let projects = roots
        .iter()
        .flat_map(move |root| [below(root, &EVERYWHERE), below(root, &IN_A_PROJECT)].concat());
    let homes = home
        .into_iter()
        .flat_map(move |home| [below(home, &EVERYWHERE), below(home, &AT_HOME)].concat());
    projects.chain(homes).chain(OF_THE_MACHINE.map(PathBuf::from))
}
