//! The runner's words for tools and arguments, and ours.

use std::borrow::Cow;
use std::sync::LazyLock;

use portcullis::Toolbox;
use serde_json::{Map, Value};

use super::load;

/// The runner's word and ours. `spawn` has none.
const TOOLS: [(&str, &str); 9] = [
    ("read", "read_file"),
    ("write", "write_file"),
    ("edit", "edit_file"),
    ("delete", "delete_file"),
    ("move", "move_file"),
    ("make_dir", "make_dir"),
    ("list", "list_dir"),
    ("run", COMMAND),
    ("load", load::TOOL),
];
/// The tool that is judged here and performed by a host.
const COMMAND: &str = "run_command";

/// Members of an edit that have another name here.
const EDIT: [(&str, &str); 2] = [("old", "old_text"), ("new", "new_text")];

/// What a word of the runner's gets in front when it means something else here.
const FOREIGN: &str = "runner.";

/// Ours and those of other agents: a name of these is a tool to the gate, and none to the runner.
static OURS: LazyLock<Toolbox> = LazyLock::new(Toolbox::standard);

/// Every tool of the runner's that has one here.
pub(super) fn tools() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|(neutral, _)| *neutral)
}

/// The tool that a word of the runner's means here. A word that is no tool of the runner's is no tool here.
pub(super) fn tool(neutral: &str) -> Cow<'_, str> {
    if let Some((_, ours)) = TOOLS.iter().find(|(word, _)| *word == neutral) {
        return Cow::Borrowed(ours);
    }
    match OURS.get(neutral).is_some() || neutral.starts_with(FOREIGN) {
        true => Cow::Owned(format!("{FOREIGN}{neutral}")),
        false => Cow::Borrowed(neutral),
    }
}

/// The runner's word for a tool: the way back.
pub(super) fn neutral(ours: &str) -> &str {
    match TOOLS.iter().find(|(_, tool)| *tool == ours) {
        Some((word, _)) => word,
        None => ours.strip_prefix(FOREIGN).unwrap_or(ours),
    }
}

/// Arguments with the names that they have here.
pub(super) fn arguments(neutral: &str, args: &Value) -> Value {
    match args {
        Value::Object(members) if neutral == "edit" => Value::Object(renamed(members)),
        other => other.clone(),
    }
}

fn renamed(members: &Map<String, Value>) -> Map<String, Value> {
    members
        .iter()
        .map(|(name, value)| {
            let known = EDIT.iter().find(|(word, _)| word == name);
            let taken = EDIT.iter().any(|(_, ours)| ours == name);
            let name = match known {
                Some((_, ours)) => (*ours).to_owned(),
                None if taken => format!("{FOREIGN}{name}"),
                None => name.clone(),
            };
            (name, value.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case("read", "read_file")]
    #[case("make_dir", "make_dir")]
    #[case("run", "run_command")]
    #[case("fetch", "fetch")]
    #[case("read_file", "runner.read_file")]
    #[case("Bash", "runner.Bash")]
    #[case("runner.read_file", "runner.runner.read_file")]
    fn a_word_leads_there_and_back(#[case] word: &str, #[case] ours: &str) {
        assert_eq!(tool(word), ours);
        assert_eq!(neutral(ours), word);
    }

    #[test]
    fn only_an_edit_is_renamed_and_our_own_names_are_nobodys() {
        let args = json!({"path": "a", "old": "x", "new": "y", "old_text": "z"});
        assert_eq!(
            arguments("edit", &args),
            json!({"path": "a", "old_text": "x", "new_text": "y", "runner.old_text": "z"})
        );
        assert_eq!(arguments("write", &args), args);
    }
}
