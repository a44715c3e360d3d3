//! Error texts: one sentence, lower case first, no full stop.

use super::{Finding, rust};
use crate::tree::File;

const OPENING: &str = "#[error(\"";

/// Texts of `thiserror` attributes that break the rule.
pub(super) fn texts(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in rust(files) {
        for (number, line) in (1..).zip(text.lines()) {
            let Some(sentence) = line.trim_start().strip_prefix(OPENING) else {
                continue;
            };
            let sentence = sentence
                .rfind('"')
                .and_then(|end| sentence.get(..end))
                .unwrap_or(sentence);
            findings.extend(fault(sentence).map(|what| Finding::new(path, number, what)));
        }
    }
    findings
}

fn fault(sentence: &str) -> Option<&'static str> {
    let mut chars = sentence.chars();
    let (first, second) = (chars.next()?, chars.next());
    // `JSON` and `I` may stand first.
    let acronym = second.is_none_or(|second| !second.is_lowercase());
    if first.is_uppercase() && !acronym {
        Some("an error text begins in lower case")
    } else if sentence.ends_with(['.', '!']) {
        Some("an error text has no full stop")
    } else if sentence.contains("\\n") {
        Some("an error text is one line")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::texts;

    #[test]
    fn judges_texts() {
        for (text, good) in [
            ("the log is broken", true),
            ("{what} at {place}", true),
            ("JSON ends early", true),
            ("The log is broken", false),
            ("the log is broken.", false),
            ("one\\ntwo", false),
        ] {
            let found = texts(&[file("a.rs", &format!("    #[error(\"{text}\")]"))]);
            assert_eq!(found.is_empty(), good, "{text}");
        }
    }
}
