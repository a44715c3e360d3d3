//! Words that must not stand in the tree.

use super::{Finding, rust};
use crate::tree::File;

/// Attributes that hide a test or a warning, and what to write instead. Cut in two, so that this file passes.
const ATTRIBUTES: &[(&str, &str)] = &[
    (
        concat!("#[", "ignore"),
        "assert what happens today, and name the issue",
    ),
    (
        concat!("#[", "should_panic"),
        "assert on the value, so that the right panic is the only one that passes",
    ),
    (
        concat!("#[", "allow("),
        "write `#[expect(..., reason = \"...\")]`",
    ),
    (
        concat!("#![", "allow("),
        "write `#![expect(..., reason = \"...\")]`",
    ),
];

const NOTES: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// Where some machine keeps its files. An example in the documentation takes a home such as `/home/ada`.
const PLACES: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/tmp/", "target"),
    concat!("/ro", "ot/"),
    concat!("/us", "r/local/cargo"),
];

/// Attributes that hide a test or a warning.
pub(super) fn attributes(files: &[File]) -> Vec<Finding> {
    each_line(rust(files), |line| {
        let (word, instead) = ATTRIBUTES.iter().find(|(word, _)| line.contains(word))?;
        Some(format!("`{word}` is not used here: {instead}"))
    })
}

/// Notes to self that name no issue.
pub(super) fn notes(files: &[File]) -> Vec<Finding> {
    let texts = files.iter().filter(|file| !file.path.ends_with(".md"));
    each_line(
        texts.filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?))),
        |line| {
            let note = NOTES.iter().find(|note| names_no_issue(line, note))?;
            Some(format!("`{note}` without an issue: write `{note}(#N)`"))
        },
    )
}

/// Paths of one machine.
pub(super) fn places(files: &[File]) -> Vec<Finding> {
    each_line(
        files
            .iter()
            .filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?))),
        |line| {
            let place = PLACES.iter().find(|place| line.contains(*place))?;
            Some(format!("`{place}` is a path of one machine"))
        },
    )
}

fn names_no_issue(line: &str, note: &str) -> bool {
    line.match_indices(note).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + note.len()..).unwrap_or_default();
        let whole = !before.is_some_and(is_word) && !after.chars().next().is_some_and(is_word);
        let issue = after.strip_prefix("(#").and_then(|rest| rest.split_once(')'));
        let named = issue.is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        whole && !named
    })
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn each_line<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str)>,
    judge: impl Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in texts {
        for (number, line) in (1..).zip(text.lines()) {
            findings.extend(judge(line).map(|what| Finding::new(path, number, what)));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::{attributes, names_no_issue, places};

    #[test]
    fn finds_a_hidden_test() {
        let found = attributes(&[file("a.rs", concat!("fn a() {}\n    #[", "ignore = \"slow\"]\n"))]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2);
        assert!(attributes(&[file("a.md", concat!("#[", "ignore]"))]).is_empty());
    }

    #[test]
    fn a_note_needs_an_issue() {
        assert!(names_no_issue(concat!("// TO", "DO: later"), concat!("TO", "DO")));
        assert!(names_no_issue(concat!("// TO", "DO(me)"), concat!("TO", "DO")));
        assert!(!names_no_issue(
            concat!("// TO", "DO(#12): later"),
            concat!("TO", "DO")
        ));
        assert!(!names_no_issue("MASTODON", concat!("TO", "DO")));
    }

    #[test]
    fn finds_a_machine() {
        assert_eq!(places(&[file("a.md", concat!("see /tmp/", "target-x"))]).len(), 1);
    }
}
