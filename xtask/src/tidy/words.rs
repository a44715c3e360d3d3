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

/// Places of the machine that runs this: they mean nothing on any other.
pub(crate) fn places(files: &[File], places: &[String]) -> Vec<Finding> {
    let texts = files
        .iter()
        .filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?)));
    each_line(texts, |line| {
        let place = places.iter().find(|place| line.contains(place.as_str()))?;
        Some(format!("`{place}` is a place of this machine only"))
    })
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
    fn finds_a_place_of_this_machine() {
        let files = [
            file("a.md", "an example:\nsee /srv/build/42/target"),
            file("b.md", "/srv/other"),
        ];
        let found = places(&files, &["/srv/build/42".to_owned()]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2);
    }
}
