//! Variables that a text makes commands of. What they hold is code, whatever they are called.

use std::collections::HashSet;

/// Words behind which the next is a command, or holds one.
const RUNS: [&str; 12] = [
    "eval", "-c", "exec", "command", "sudo", "env", "nohup", "then", "do", "else", "xargs", "<<<",
];

/// Their names.
#[derive(Debug, Default)]
pub(super) struct Uses<'a>(HashSet<&'a str>);

impl<'a> Uses<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut names = HashSet::new();
        for (at, _) in text.match_indices('$') {
            let rest = text.get(at + 1..).unwrap_or_default();
            let rest = rest.strip_prefix('{').unwrap_or(rest);
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let name = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            if !name.is_empty() && is_command(text.get(..at).unwrap_or_default()) {
                names.insert(name);
            }
        }
        Self(names)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Whether what comes after this is a command. Only the end of it is looked at.
fn is_command(before: &str) -> bool {
    let trimmed = before.trim_end_matches(['"', ' ', '\t']);
    trimmed.is_empty()
        || trimmed.ends_with([';', '|', '&', '(', '`', '\n', '{'])
        || RUNS.iter().any(|word| trimmed.ends_with(word))
}
