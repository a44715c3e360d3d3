//! What a neutral policy knows of names and programs, and how much of each tool it has asked, as our own files say it.
//!
//! A project's file takes no name from the list, since no project may.

use portcullis::{NameGroup, Toolbox, name_groups};

use super::policy::{Names, list, quoted};
use super::wire::{Policy, Program};

/// The tables of a file; `whose` is in front of the ids of its groups.
pub(super) fn written(policy: &Policy, whose: &str, names: Names) -> String {
    let mut text = String::new();
    for (of, asks, listed) in [
        ("names", "read", &policy.names.ask),
        ("names-to-change", "change", &policy.names.change),
    ] {
        if !listed.is_empty() {
            let all = list(listed);
            text.push_str(&format!(
                "\n[[catalogue.add]]\nid = \"{whose}-{of}\"\nwhy = \"the {whose}'s policy says so\"\nasks = \"{asks}\"\n\
                 files = {all}\ndirectories = {all}\n"
            ));
        }
    }
    if whose == "user" {
        text.push_str(&spared(&policy.names.spare));
    }
    policy
        .programs
        .iter()
        .for_each(|program| text.push_str(&explained(program)));
    for (tool, level) in &policy.review {
        let tool = names(tool);
        let Some(spec) = Toolbox::standard().get(&tool).cloned() else {
            continue;
        };
        text.push_str(&format!("\n[review.levels.{}]\n", quoted(&tool)));
        for operand in spec.operands() {
            text.push_str(&format!("{} = {}\n", quoted(&operand.member), quoted(level)));
        }
    }
    text
}

/// The names of the built-in list that are taken from it.
fn spared(names: &[String]) -> String {
    let mut text = String::new();
    for group in name_groups() {
        for member in ["files", "directories"] {
            let is_there =
                |name: &&String| NameGroup::entries(group).any(|entry| entry == (member, name.as_str()));
            let spared: Vec<String> = names.iter().filter(is_there).cloned().collect();
            if !spared.is_empty() {
                text.push_str(&format!(
                    "\n[[catalogue.remove]]\nid = {}\n{member} = {}\n",
                    quoted(group.id()),
                    list(&spared)
                ));
            }
        }
    }
    text
}

/// A program, in the form of the built-in tables.
fn explained(program: &Program) -> String {
    let flags: Vec<String> = program
        .options
        .iter()
        .filter(|(_, deed)| *deed == "flag")
        .map(|(option, _)| option.clone())
        .collect();
    let valued: Vec<String> = program
        .options
        .iter()
        .filter(|(_, deed)| *deed != "flag")
        .map(|(option, deed)| format!("{} = {}", quoted(option), quoted(deed)))
        .collect();
    format!(
        "\n[[program]]\nnames = [{}]\noperands = {}\nflags = {}\noptions = {{ {} }}\n",
        quoted(&program.name),
        list(&program.operands),
        list(&flags),
        valued.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use portcullis::config::parse_user;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::super::words;
    use super::*;

    #[rstest]
    #[case::names(json!({"names": {"ask": ["a"], "change": ["b"], "spare": [".env", "vault", "c"]}}), 4)]
    #[case::programs(json!({"programs": [{"name": "t", "operands": ["read"], "options": {"-q": "flag", "-o": "write"}}]}), 1)]
    #[case::levels(json!({"review": {"read": "off", "move": "always", "fetch": "off"}}), 3)]
    fn our_files_have_words_for_it(#[case] said: Value, #[case] count: usize) {
        let mut policy = json!({"otherwise": "ask", "allow": [], "ask": [], "deny": []});
        policy
            .as_object_mut()
            .unwrap()
            .extend(said.as_object().unwrap().clone());
        let text = written(&serde_json::from_value(policy).unwrap(), "user", words::tool);
        let config = parse_user(&format!("version = 1\n{text}"), "test")
            .unwrap_or_else(|error| panic!("{}\n{text}", error.render()));
        let rules = config.rules;
        let seen = rules.names.len() + rules.removed.len() + rules.programs.len() + rules.levels.named.len();
        assert_eq!(seen, count, "{text}");
    }
}
