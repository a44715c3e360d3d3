//! What the user saves can be told, and what is begun can be finished.

use super::Faults;
use crate::fixture::{Action, Family, Saving, Step, Variant};

pub(super) fn lint(family: &Family, faults: &mut Faults<'_>) {
    for variant in &family.variants {
        let known = &family.policy_of(variant).allow;
        for policy in variant.saved() {
            if policy.allow.iter().any(|entry| !known.contains(entry)) {
                faults.add(
                    "save",
                    format!(
                        "variant `{}`: what is saved allows what the session's policy does not name",
                        variant.name
                    ),
                );
            }
        }
        order(variant, faults);
        versions(variant, faults);
    }
}

/// A version of the policy is held against that of a call before, and in a batch there is none.
fn versions(variant: &Variant, faults: &mut Faults<'_>) {
    let mut before = 0;
    for step in &variant.steps {
        let is_held = step.expects().any(|expect| expect.version.is_some());
        if is_held && (before == 0 || matches!(step, Step::Batch(_))) {
            faults.add(
                "version",
                format!(
                    "variant `{}`: `version` needs a call before, and is not of a batch",
                    variant.name
                ),
            );
        }
        before += step.answers();
    }
}

fn order(variant: &Variant, faults: &mut Faults<'_>) {
    let mut is_open = false;
    for action in variant.steps.iter().flat_map(Step::actions) {
        match action {
            Action::Save { how, .. } => is_open = matches!(how, Saving::Emptied | Saving::Half),
            Action::Finish if !is_open => faults.add(
                "save",
                format!("variant `{}`: there is nothing to finish", variant.name),
            ),
            Action::Finish => is_open = false,
            _ => {}
        }
    }
}
