//! A rule's own examples, tried when it is loaded.

use std::path::Path;

use portcullis_classify::Rule;

/// The rule has nothing that an example could be tried on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unfit;

/// Whether a rule applies to its example: a command line for a rule with `command`, a path for one with `under`. In a
/// project, relative paths are below `root`, as they are in the rule.
///
/// Commands are tried by the policy's own reading. Places are compared name by name: what a path would lead to on
/// the disk is not looked at, so that a file means the same on every machine.
pub(super) fn applies(rule: &Rule, example: &str, root: Option<&Path>) -> Result<bool, Unfit> {
    match (&rule.subject.command, &rule.subject.under) {
        (Some(_), None) => Ok(rule.matches_command(example)),
        (None, Some(place)) => match root {
            Some(root) if !example.starts_with('~') => Ok(root.join(example).starts_with(place)),
            _ => Ok(Path::new(example).starts_with(place)),
        },
        _ => Err(Unfit),
    }
}
