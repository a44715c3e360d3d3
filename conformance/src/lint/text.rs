//! Names, words and form.

use super::Faults;
use crate::Spec;
use crate::fixture::{AREAS, BUGS, PolicyDecl, Source};
use crate::words;

/// Words that a title does without.
const IDLE: [&str; 3] = ["should", "test that", "tests that"];

pub(super) fn lint(source: &Source, spec: &Spec, faults: &mut Faults<'_>) {
    let family = &source.family;
    let place = format!("{}.toml", family.id);
    if !source.file.ends_with(&place) {
        faults.add("id", format!("the file is not `cases/{place}`"));
    }
    let slug = family.id.split_once('/').map_or("", |(_, slug)| slug);
    if !AREAS.contains(&family.area()) || !is_slug(slug) {
        faults.add("id", "the id is not `AREA/SLUG` with a known area");
    }
    let title = family.title.to_lowercase();
    if IDLE.iter().any(|word| title.contains(word)) || title.ends_with('.') || title.is_empty() {
        faults.add("title", "the title is not a noun phrase of what happens");
    }
    if family.rules.is_empty() {
        faults.add("rules", "no rule");
    }
    for rule in &family.rules {
        if !spec.rules().iter().any(|known| known.id == *rule) {
            faults.add("rules", format!("`{rule}` is no rule of SPEC.md"));
        }
    }
    if !BUGS.contains(&family.bug.as_str()) {
        faults.add("bug", format!("`{}` is no kind of fault", family.bug));
    }
    if family
        .since
        .split('.')
        .filter(|part| part.parse::<u32>().is_ok())
        .count()
        != 3
    {
        faults.add("since", "`since` is no version");
    }
    let mut names: Vec<&str> = family
        .variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect();
    if names.iter().any(|name| !is_slug(name)) {
        faults.add("variant", "a variant's name is not a slug");
    }
    names.sort_unstable();
    names.dedup();
    if names.len() != family.variants.len() {
        faults.add("variant", "two variants have the same name");
    }
    let others = family.variants.iter().flat_map(|variant| &variant.policy);
    for policy in std::iter::once(&family.policy).chain(others) {
        policy_words(policy, faults);
    }
    form(&source.text, faults);
}

fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-')
}

fn policy_words(policy: &PolicyDecl, faults: &mut Faults<'_>) {
    if policy.otherwise != "ask" && policy.otherwise != "deny" {
        faults.add("policy", "`otherwise` is `ask` or `deny`");
    }
    for entry in policy.entries() {
        if entry.tool != "*" && !words::TOOLS.contains(&entry.tool.as_str()) {
            faults.add("policy", format!("`{}` is no tool", entry.tool));
        }
        let members = [
            entry.path.is_some(),
            entry.under.is_some(),
            entry.command.is_some(),
        ];
        if members.iter().filter(|there| **there).count() > 1 {
            faults.add("policy", "an entry has at most one of `path`, `under`, `command`");
        }
    }
}

/// One form for all files: no tabs, no blanks at line ends, one line feed at the end.
fn form(text: &str, faults: &mut Faults<'_>) {
    let untidy = |line: &str| line.contains(['\t', '\r']) || line.ends_with(' ');
    if text.lines().any(untidy) || !text.ends_with('\n') || text.ends_with("\n\n") {
        faults.add(
            "form",
            "tabs, blanks at a line's end, or not exactly one line feed at the end",
        );
    }
}
