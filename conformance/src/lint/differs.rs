//! `differs` names exactly what is not equal to the twin, and one thing divides the two answers.

use std::collections::BTreeSet;

use super::Faults;
use super::polarity::answers_of;
use crate::fixture::Source;

/// Members of a variant that are not compared.
const ASIDE: [&str; 4] = ["name", "differs", "twin", "expect"];

pub(super) fn lint(source: &Source, faults: &mut Faults<'_>) {
    let Ok(table) = source.text.parse::<toml::Table>() else {
        return;
    };
    let written: Vec<&toml::Table> = table
        .get("variant")
        .and_then(toml::Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_table)
        .collect();
    apart(source, &written, faults);
    let name = |table: &toml::Table| {
        table
            .get("name")
            .and_then(toml::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    for (index, variant) in source.family.variants.iter().enumerate() {
        let own = written.get(index);
        let twin = match &variant.twin {
            Some(twin) => written.iter().find(|table| name(table) == *twin),
            None if index == 0 => {
                if !variant.differs.is_empty() {
                    faults.add("differs", "the first variant differs from nothing");
                }
                continue;
            }
            None => written.first(),
        };
        let (Some(own), Some(twin)) = (own, twin) else {
            faults.add("differs", format!("variant `{}` has no twin", variant.name));
            continue;
        };
        let mut seen = BTreeSet::new();
        compare(own, twin, "", &mut seen);
        let said: BTreeSet<String> = variant.differs.iter().cloned().collect();
        if seen.is_empty() {
            faults.add("differs", format!("variant `{}` is its twin", variant.name));
        } else if seen != said {
            let seen: Vec<String> = seen.into_iter().map(|place| format!("\"{place}\"")).collect();
            faults.add(
                "differs",
                format!("variant `{}`: differs = [{}]", variant.name, seen.join(", ")),
            );
        }
    }
}

/// An allow and a refusal that one thing divides: in two variants, or in one story in which the world changes between.
fn apart(source: &Source, written: &[&toml::Table], faults: &mut Faults<'_>) {
    let variants = &source.family.variants;
    let answers: Vec<_> = variants.iter().map(answers_of).collect();
    let is_story = answers.iter().any(|one| one.allowed && one.refused);
    let both = answers.iter().any(|one| one.allowed) && answers.iter().any(|one| one.refused);
    let one_thing = |own: &toml::Table, other: &toml::Table| {
        let mut seen = BTreeSet::new();
        compare(own, other, "", &mut seen);
        seen.len() == 1
    };
    let mut pairs = written
        .iter()
        .zip(&answers)
        .enumerate()
        .flat_map(|(index, (own, answer))| {
            let later = written.iter().zip(&answers).skip(index + 1);
            later.map(move |(other, contrary)| (own, answer, other, contrary))
        });
    let is_near =
        pairs.any(|(own, answer, other, contrary)| answer.differ(*contrary) && one_thing(own, other));
    if both && !is_story && !is_near {
        faults.add("apart", "no allow and refusal are one thing apart");
    }
}

/// The dotted places of what is not equal. Lists count whole, except lists of tables of the same length.
fn compare(own: &toml::Table, twin: &toml::Table, place: &str, seen: &mut BTreeSet<String>) {
    let keys: BTreeSet<&String> = own.keys().chain(twin.keys()).collect();
    for key in keys.into_iter().filter(|key| !ASIDE.contains(&key.as_str())) {
        let place = if place.is_empty() {
            key.clone()
        } else {
            format!("{place}.{key}")
        };
        compare_values(own.get(key), twin.get(key), &place, seen);
    }
}

fn compare_values(
    own: Option<&toml::Value>,
    twin: Option<&toml::Value>,
    place: &str,
    seen: &mut BTreeSet<String>,
) {
    match (own, twin) {
        (own, twin) if own == twin => {}
        (Some(toml::Value::Table(own)), Some(toml::Value::Table(twin))) => compare(own, twin, place, seen),
        (Some(toml::Value::Array(own)), Some(toml::Value::Array(twin)))
            if own.len() == twin.len() && own.iter().chain(twin).all(toml::Value::is_table) =>
        {
            for (index, (own, twin)) in own.iter().zip(twin).enumerate() {
                compare_values(Some(own), Some(twin), &format!("{place}.{index}"), seen);
            }
        }
        _ => {
            seen.insert(place.to_owned());
        }
    }
}
