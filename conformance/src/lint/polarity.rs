//! Both answers, and expectations that can fail.

use super::Faults;
use crate::fixture::{Action, Batched, Expect, Family, JudgeExpect, OneOrMany, People, Step, Variant, Verb};
use crate::wire::is_reason;

pub(super) fn lint(family: &Family, faults: &mut Faults<'_>) {
    let mut answers = Answers::default();
    let mut judged = false;
    for variant in &family.variants {
        answers.join(answers_of(variant));
        for step in &variant.steps {
            match step {
                Step::Call { expect, during, .. } => {
                    let killed = during.iter().any(|during| during.action == Action::Kill);
                    if killed != expect.decision.accepts("none") || killed != expect.reason.accepts("none") {
                        faults.add(
                            "kill",
                            "`none` is what a killed subject answers, and nothing else",
                        );
                    }
                    call(expect, faults);
                }
                Step::Judge { expect, .. } => {
                    judged = true;
                    judge(expect, faults);
                }
                Step::Batch(batch) => batch.iter().for_each(|one| call(&one.expect, faults)),
                Step::Act(_) | Step::Restart | Step::Next => {}
            }
        }
    }
    let effect = if judged { "" } else { " with an effect" };
    if !answers.allowed {
        faults.add("polarity", format!("no variant is allowed{effect}"));
    }
    if !answers.refused {
        faults.add("polarity", "no variant is refused");
    }
    for variant in &family.variants {
        alike(variant, faults);
        people(&variant.steps, &variant.name, faults);
    }
}

/// Which of the two answers a family has to hold.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answers {
    /// Allowed, and there is something to see of it.
    pub(super) allowed: bool,
    /// Refused.
    pub(super) refused: bool,
}

impl Answers {
    fn join(&mut self, other: Self) {
        self.allowed |= other.allowed;
        self.refused |= other.refused;
    }

    /// Whether one has an answer that the other one has the contrary of.
    pub(super) fn differ(self, other: Self) -> bool {
        self.allowed && other.refused || self.refused && other.allowed
    }
}

/// The answers that a variant expects, and nothing else in their place.
pub(super) fn answers_of(variant: &Variant) -> Answers {
    let mut answers = Answers::default();
    for step in &variant.steps {
        for expect in step.expects() {
            answers.join(Answers {
                allowed: is_only(&expect.decision, "allow") && is_seen(expect),
                refused: !expect.decision.accepts("allow"),
            });
        }
        if let Step::Judge { expect, .. } = step {
            answers.join(Answers {
                allowed: expect.decision.accepts("allow") && !expect.decision.accepts("deny"),
                refused: !expect.decision.accepts("allow"),
            });
        }
    }
    answers
}

/// Whether there is something to see of an allow.
fn is_seen(expect: &Expect) -> bool {
    !expect.effect.is_empty() || !expect.output.is_empty()
}

fn is_only(decision: &OneOrMany<String>, word: &str) -> bool {
    decision.all().iter().all(|one| one == word)
}

fn call(expect: &Expect, faults: &mut Faults<'_>) {
    known(expect.decision.all(), &["allow", "deny", "none"], faults);
    reasons(&expect.reason, faults);
    let both = expect.decision.accepts("allow") && expect.decision.accepts("deny");
    if both && expect.effect.is_empty() && expect.audit.has.is_empty() {
        faults.add(
            "idle",
            "allow and deny are both accepted and nothing else is expected",
        );
    }
    if is_only(&expect.decision, "deny") && !(expect.effect.is_empty() && expect.or.is_empty()) {
        faults.add("deny-effect", "a denial has no effect");
    }
    if expect.effect.is_empty() && !expect.or.is_empty() {
        faults.add("effect", "`or` without an `effect` that it stands beside");
    }
    if is_only(&expect.decision, "deny") && !expect.output.is_empty() {
        faults.add("deny-effect", "a denial has no output");
    }
    let allow = |reason: &str| reason == "policy" || reason == "approved";
    if is_only(&expect.decision, "allow") && !expect.reason.all().iter().all(|reason| allow(reason)) {
        faults.add("reason", "an allow has `policy` or `approved`");
    }
    if is_only(&expect.decision, "deny") && expect.reason.accepts("approved") {
        faults.add("reason", "a denial is not `approved`");
    }
    let events = ["asked", "decided", "finished", "books", "chain"];
    for condition in &expect.audit.has {
        let event = condition.split(' ').next().unwrap_or_default();
        if !events.contains(&event) {
            faults.add("audit", format!("`{condition}` does not begin with an event"));
        }
    }
}

fn judge(expect: &JudgeExpect, faults: &mut Faults<'_>) {
    known(expect.decision.all(), &["allow", "ask", "deny"], faults);
    reasons(&expect.reason, faults);
    if expect.decision.all().len() >= 3 {
        faults.add("idle", "every decision is accepted");
    }
}

fn known(words: &[String], list: &[&str], faults: &mut Faults<'_>) {
    for word in words.iter().filter(|word| !list.contains(&word.as_str())) {
        faults.add("decision", format!("`{word}` is no decision"));
    }
}

fn reasons(reason: &OneOrMany<String>, faults: &mut Faults<'_>) {
    for word in reason
        .all()
        .iter()
        .filter(|word| *word != "none" && !is_reason(word))
    {
        faults.add("reason", format!("`{word}` is no reason"));
    }
}

fn people(steps: &[Step], variant: &str, faults: &mut Faults<'_>) {
    let mut kinds = Vec::new();
    let mut before = 0;
    for step in steps {
        if let Step::Batch(batch) = step {
            in_batch(batch, variant, faults);
        }
        let Step::Call { people, expect, .. } = step else {
            continue;
        };
        kinds.push(std::mem::discriminant(people));
        let People::Script(verbs) = people else { continue };
        for verb in verbs {
            if *verb == Verb::Stale && before == 0 {
                faults.add(
                    "approver",
                    format!("variant `{variant}`: no question before `stale`"),
                );
            }
            before += 1;
        }
        let refuses = |verb: &Verb| !verb.allows();
        if verbs.iter().all(refuses) && !verbs.is_empty() && is_only(&expect.decision, "allow") {
            let most = expect.asks.all().iter().max().copied().unwrap_or_default();
            if most > 0 {
                faults.add(
                    "approver",
                    format!("variant `{variant}`: allowed without an allow"),
                );
            }
        }
    }
    if kinds.windows(2).any(|pair| pair.first() != pair.last()) {
        faults.add(
            "approver",
            format!("variant `{variant}`: the approver is the same in every step"),
        );
    }
}

/// In a batch nothing is done after the results, and nothing before a question.
fn in_batch(batch: &[Batched], variant: &str, faults: &mut Faults<'_>) {
    let later = |verb: &Verb| matches!(verb, Verb::Early | Verb::Late | Verb::Stale | Verb::Cancel);
    if batch.iter().flat_map(|one| &one.verbs).any(later) {
        faults.add(
            "approver",
            format!("variant `{variant}`: a batch has no `early`, `late`, `stale`, `cancel`"),
        );
    }
}

/// `alike` is about a call that comes after another one.
fn alike(variant: &Variant, faults: &mut Faults<'_>) {
    let mut before = 0;
    for step in &variant.steps {
        let is_alike = step.expects().any(|expect| expect.alike);
        if is_alike && (before == 0 || matches!(step, Step::Batch(_))) {
            faults.add(
                "alike",
                format!(
                    "variant `{}`: `alike` needs a call before, and is not of a batch",
                    variant.name
                ),
            );
        }
        before += step.answers();
    }
}
