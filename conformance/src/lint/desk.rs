//! What people do at a desk is done where there is one, to questions that can be there, and taken once.

use super::Faults;
use crate::fixture::{About, Action, At, During, Family, People, Step, Variant};

pub(super) fn lint(family: &Family, faults: &mut Faults<'_>) {
    for variant in &family.variants {
        let mut fault = |what: &str| faults.add("desk", format!("variant `{}`: {what}", variant.name));
        has_one(variant, &mut fault);
        let mut asked = false;
        for step in &variant.steps {
            match step {
                Step::Call { during, expect, .. } => {
                    meanwhile(during, asked, &mut fault);
                    asked |= !expect.asks.accepts(&0);
                }
                Step::Act(action) => between(action, asked, &mut fault),
                Step::Judge { .. } | Step::Batch(_) | Step::Restart | Step::Next => {}
            }
        }
    }
}

fn has_one(variant: &Variant, fault: &mut impl FnMut(&str)) {
    let comes = variant
        .steps
        .iter()
        .flat_map(Step::actions)
        .any(Action::is_at_desk);
    let elsewhere = |step: &Step| matches!(step, Step::Call { people, .. } if *people != People::Desk);
    if comes && variant.steps.iter().any(elsewhere) {
        fault("people come to a desk where `approver` is not `desk`");
    }
}

/// While a question stands there.
fn meanwhile(during: &[During], asked: bool, fault: &mut impl FnMut(&str)) {
    let (there, aside): (Vec<&During>, Vec<&During>) =
        during.iter().partition(|during| during.action.is_at_desk());
    if there.iter().any(|during| during.at != At::Ask) {
        fault("people come to the desk at `ask`, or between calls");
    }
    let is_world =
        |during: &&During| during.at == At::Ask && !matches!(during.action, Action::Cancel | Action::Kill);
    // An answer lets the call change the disk, and nobody could tell its changes from others.
    if !there.is_empty() && aside.iter().any(is_world) {
        fault("the world changes in the question that people answer at the desk");
    }
    let taken = |during: &&&During| matches!(during.action, Action::Answer { taken: true, .. });
    if there.iter().filter(taken).count() > 1 {
        fault("two answers to a question are taken");
    }
    if there.iter().any(|during| is_about_before(&during.action)) && !asked {
        fault("no question before the one that an answer is about");
    }
}

/// Between calls, where no question stands.
fn between(action: &Action, asked: bool, fault: &mut impl FnMut(&str)) {
    let stands = |action: &Action| {
        matches!(
            action,
            Action::Garble { .. }
                | Action::Answer {
                    about: About::This,
                    ..
                }
                | Action::Answer { taken: true, .. }
        )
    };
    if stands(action) {
        fault("between calls there is no question that could be answered");
    }
    if is_about_before(action) && !asked {
        fault("no question before the one that an answer is about");
    }
}

fn is_about_before(action: &Action) -> bool {
    matches!(
        action,
        Action::Answer {
            about: About::Before,
            ..
        }
    )
}
