//! Commands to read: what agents run all day, and the corpus of the shell reader.

use serde_json::Value;

const EVERYDAY: [&str; 2] = [
    include_str!("../../conformance/score/commands.toml"),
    include_str!("../../conformance/score/held-out-everyday.toml"),
];

const CORPUS: [&str; 11] = [
    include_str!("../../crates/classify/tests/shell/corpus/found-by-fuzzing.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/grouping.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/hostile-bytes.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/mixed.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/quoting.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/redirect.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/substitution.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/syntax-error.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/typical.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/value-evaluated-as-code.jsonl"),
    include_str!("../../crates/classify/tests/shell/corpus/wrapper.jsonl"),
];

/// The commands of the score's sets whose verdict may be that they run.
#[must_use]
pub fn everyday() -> Vec<String> {
    let files = EVERYDAY.map(|text| toml::from_str::<toml::Table>(text).expect("a set of the score"));
    let groups = files.iter().filter_map(|file| file.get("group")?.as_array());
    let runs = |group: &&toml::Value| names(group, "accept").any(|verdict| verdict == "allow");
    groups
        .flatten()
        .filter(runs)
        .flat_map(|group| names(group, "commands"))
        .map(str::to_owned)
        .collect()
}

fn names<'v>(group: &'v toml::Value, member: &str) -> impl Iterator<Item = &'v str> {
    let list = group.get(member).and_then(toml::Value::as_array);
    list.into_iter().flatten().filter_map(toml::Value::as_str)
}

/// Every text of the shell reader's corpus.
#[must_use]
pub fn corpus() -> Vec<String> {
    let text = |line: &str| {
        let case: Value = serde_json::from_str(line).expect("a line of the corpus");
        case.get("text").and_then(Value::as_str).map(str::to_owned)
    };
    CORPUS
        .iter()
        .flat_map(|file| file.lines())
        .filter_map(text)
        .collect()
}

/// Everyday commands behind each other, so many bytes long.
#[must_use]
pub fn long(bytes: usize) -> String {
    let mut text =
        "git log --oneline -n 5 -- src | head -n 20 && grep -rn 'fn main' src; ".repeat(bytes / 64 + 1);
    text.truncate(bytes);
    while text.ends_with(|end| !matches!(end, 'c' | 'g')) && text.pop().is_some() {}
    text
}

/// Whether a text names a place from the root, in any word or behind a sign in one. Such a place is looked up wherever the
/// command runs.
#[must_use]
pub fn is_absolute(text: &str) -> bool {
    let part_of_a_name = |c: char| c.is_alphanumeric() || "_-./~$})*?]:@%".contains(c);
    text.match_indices(['/', '~']).any(|(at, _)| {
        !text
            .get(..at)
            .is_some_and(|before| before.ends_with(part_of_a_name))
    })
}

#[cfg(test)]
mod tests {
    use super::is_absolute;

    #[test]
    fn a_place_from_the_root_is_seen() {
        for text in [
            "/bin/ls",
            "cat /etc/passwd",
            "a --b=/c",
            "a '/b'",
            "/???/r? x",
            "cd ~",
        ] {
            assert!(is_absolute(text), "{text}");
        }
        for text in [
            "ls a/b",
            "cat ./a ../b",
            "curl https://a.example/b",
            "cat $a/b */c",
        ] {
            assert!(!is_absolute(text), "{text}");
        }
    }
}
