//! A rule's own examples, tried when it is loaded.

use std::path::Path;

use portcullis_classify::RuleSubject;

/// The rule has nothing that an example could be tried on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unfit;

/// Whether a rule applies to its example: a command line for a rule with `command`, a path for one with `under`.
/// Nothing on the disk is looked at.
pub(super) fn applies(subject: &RuleSubject, example: &str) -> Result<bool, Unfit> {
    match (&subject.command, &subject.under) {
        (Some(words), None) => Ok(begins_with(example, words)),
        (None, Some(place)) => Ok(Path::new(example).starts_with(place)),
        _ => Err(Unfit),
    }
}

fn begins_with(line: &str, words: &[String]) -> bool {
    let mut given = line.split_ascii_whitespace();
    words.iter().all(|word| given.next() == Some(word))
}
