//! A rule's own examples, tried when it is loaded.

use std::path::Path;

use portcullis_classify::{Programs, Rule};

/// The rule has nothing that an example could be tried on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unfit;

/// Whether a rule applies to its example: a command line for a rule with `command`, a path for one with `under`. In a
/// project, relative paths are below `root`, as they are in the rule.
///
/// Commands are tried by the policy's own reading. Places are compared name by name: what a path would lead to on
/// the disk is not looked at, so that a file means the same on every machine.
pub(super) fn applies(
    rule: &Rule,
    example: &str,
    root: Option<&Path>,
    programs: &Programs,
) -> Result<bool, Unfit> {
    let is_about_commands = rule.subject.command.is_some() || rule.subject.except.is_some();
    match (is_about_commands, &rule.subject.under) {
        (true, None) => Ok(rule.matches_command_among(example, programs)),
        (false, Some(place)) => match root {
            Some(root) if !example.starts_with('~') => Ok(root.join(example).starts_with(place)),
            _ => Ok(Path::new(example).starts_with(place)),
        },
        _ => Err(Unfit),
    }
}
