//! The suite as a whole.

use std::collections::BTreeSet;

use super::Fault;
use crate::fixture::Source;
use crate::spec::Force;
use crate::straw::Lie;
use crate::{Manifest, Spec};

pub(super) fn lint(
    sources: &[Source],
    spec: &Spec,
    manifest: &Manifest,
    uncovered: &str,
    found: &mut Vec<Fault>,
) {
    let mut add = |place: &str, lint, what: String| {
        found.push(Fault {
            place: place.to_owned(),
            lint,
            what,
        });
    };
    for difference in manifest.differences(&Manifest::of(sources)) {
        add(
            "manifest.toml",
            "manifest",
            format!("{difference}: `cargo xtask conformance manifest`"),
        );
    }
    let mut ids = BTreeSet::new();
    for source in sources {
        if !ids.insert(&source.family.id) {
            add(&source.family.id, "id", "the id stands twice".to_owned());
        }
    }
    let covered: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| &source.family.rules)
        .map(String::as_str)
        .collect();
    let admitted: BTreeSet<&str> = uncovered
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    for rule in spec.rules().iter().filter(|rule| rule.force == Force::Must) {
        if !covered.contains(rule.id.as_str()) && !admitted.contains(rule.id.as_str()) {
            add("SPEC.md", "uncovered", format!("`{}` has no family", rule.id));
        }
    }
    for id in admitted {
        if let Some(lie) = id.strip_prefix("lie:") {
            if Lie::named(lie).is_none() {
                add("cases/uncovered.txt", "uncovered", format!("`{lie}` is no liar"));
            }
            continue;
        }
        let known = spec.rules().iter().any(|rule| rule.id == id);
        if !known || covered.contains(id) {
            add(
                "cases/uncovered.txt",
                "uncovered",
                format!("`{id}` has a family, or is no rule"),
            );
        }
    }
}
