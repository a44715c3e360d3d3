//! Who is there in a variant, and how long they may take.

use super::desk::ends_the_question;
use crate::fixture::{Family, People, Step, Variant};

/// How long questions wait where each is answered: longer than a busy machine takes.
const NO_HURRY: u64 = 5_000;

/// How long a question may stay open. Only where one is left open is it worth waiting for that.
pub(super) fn ask_timeout(family: &Family, variant: &Variant) -> u64 {
    let answered = |step: &Step| match step {
        Step::Call {
            people: People::Script(verbs),
            ..
        } => verbs.iter().all(|verb| verb.ends_the_question()),
        Step::Call {
            people: People::Desk,
            during,
            expect,
            ..
        } => expect.asks.accepts(&0) || ends_the_question(during),
        Step::Batch(batch) => {
            let mut verbs = batch.iter().flat_map(|one| &one.verbs);
            verbs.all(|verb| verb.ends_the_question())
        }
        _ => true,
    };
    if variant.steps.iter().all(answered) {
        family.ask_timeout_ms.max(NO_HURRY)
    } else {
        family.ask_timeout_ms
    }
}

/// Who is there in a variant: what its first call says.
pub(super) fn people(variant: &Variant) -> &People {
    const NOBODY: &People = &People::Absent;
    const SOMEBODY: &People = &People::Script(Vec::new());
    variant
        .steps
        .iter()
        .find_map(|step| match step {
            Step::Call { people, .. } => Some(people),
            Step::Batch(_) => Some(SOMEBODY),
            _ => None,
        })
        .unwrap_or(NOBODY)
}
