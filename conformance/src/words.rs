//! The closed lists of PROTOCOL.md.

/// The tools of section 8.
pub const TOOLS: [&str; 10] = [
    "read", "write", "edit", "delete", "move", "make_dir", "list", "run", "load", "spawn",
];

const OTHERS: [&str; 37] = [
    "otherwise.deny",
    "policy.path",
    "policy.under",
    "policy.command",
    "policy.own",
    "policy.roots",
    "policy.reload",
    "policy.names",
    "policy.programs",
    "policy.review",
    "layer.project",
    "layer.run",
    "trust",
    "approver.socket",
    "approver.host",
    "desk",
    "grants",
    "grants.time",
    "grants.revoke",
    "breaker",
    "cancel",
    "batch",
    "message",
    "judge",
    "host.tools",
    "subagents",
    "audit",
    "audit.chain",
    "audit.version",
    "audit.where",
    "audit.rotate",
    "audit.seal",
    "audit.books",
    "resume",
    "sessions",
    "input.raw",
    "paths.bytes",
];

/// Capabilities that take a promise back: with one of them, less is asked of a subject.
pub(crate) const ADMISSIONS: [&str; 3] = ["policy.own", "policy.roots", "host.tools"];

/// Features of the host that a family may need.
pub const HOST: [&str; 6] = [
    "fs.symlink",
    "fs.hardlink",
    "fs.fifo",
    "fs.bind",
    "fs.bytes",
    "fs.case-sensitive",
];

/// Whether a word is a capability of subjects (section 7).
#[must_use]
pub fn is_capability(word: &str) -> bool {
    let of_a_tool = |prefix: &str| {
        word.strip_prefix(prefix)
            .is_some_and(|tool| TOOLS.contains(&tool) && tool != "spawn")
    };
    of_a_tool("tool.") || of_a_tool("allow.") || OTHERS.contains(&word)
}

/// Every capability.
#[must_use]
pub fn capabilities() -> Vec<String> {
    let tools = TOOLS.iter().filter(|tool| **tool != "spawn");
    let mut words: Vec<String> = tools
        .clone()
        .map(|tool| format!("tool.{tool}"))
        .chain(tools.map(|tool| format!("allow.{tool}")))
        .collect();
    words.extend(OTHERS.iter().map(|word| (*word).to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use super::{capabilities, is_capability};

    #[test]
    fn every_capability_is_one() {
        assert!(capabilities().iter().all(|word| is_capability(word)));
        assert!(!is_capability("tool.spawn"));
        assert!(!is_capability("tool.fetch"));
        assert!(!is_capability("fs.symlink"));
    }
}
