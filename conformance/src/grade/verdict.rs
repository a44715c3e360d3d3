//! A decision beside those that a family accepts: equal, stricter, or not accepted and in which direction.

use serde::{Deserialize, Serialize};

use crate::fixture::{Expect, Step, Variant};
use crate::run::{Seen, SessionSeen, StepSeen};

/// What a gate did with a call by itself, the mildest first.
const WORDS: [&str; 3] = ["allow", "ask", "deny"];

/// What a gate did with one call by itself, before anybody answered: `allow`, `ask` or `deny`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether it was judged only.
    pub judged: bool,
    /// What the family accepts, the mildest first.
    pub accepted: Vec<String>,
    /// What was seen; `none` when there was no answer.
    pub seen: String,
}

/// How a verdict stands to what is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there are three verdicts: these are all pairs"
)]
pub enum Reading {
    /// The mildest of what is accepted.
    Expected,
    /// Accepted, and stricter than the mildest that is.
    Stricter,
    /// Asked where only an allow is accepted.
    Asked,
    /// Denied where a denial is not accepted.
    Denied,
    /// Asked where only a denial is accepted.
    AskedNotDenied,
    /// Allowed where only a question or a denial is accepted.
    Allowed,
    /// No answer.
    Silent,
}

impl Reading {
    /// Every reading, in the order in which reports show them.
    pub const ALL: [Self; 7] = [
        Self::Expected,
        Self::Stricter,
        Self::Asked,
        Self::Denied,
        Self::Allowed,
        Self::AskedNotDenied,
        Self::Silent,
    ];

    /// In words, as the head of a column.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Expected => "as expected",
            Self::Stricter => "stricter, accepted",
            Self::Asked => "asked where only allow is accepted",
            Self::Denied => "denied where only allow or ask is accepted",
            Self::Allowed => "allowed where only ask or deny is accepted",
            Self::AskedNotDenied => "asked where only deny is accepted",
            Self::Silent => "no answer",
        }
    }
}

impl Verdict {
    /// How it stands to what is accepted.
    #[must_use]
    pub fn reading(&self) -> Reading {
        let accepts = |word: &str| self.accepted.iter().any(|one| one == word);
        match self.seen.as_str() {
            seen if self.accepted.first().is_some_and(|mildest| mildest == seen) => Reading::Expected,
            seen if accepts(seen) => Reading::Stricter,
            "ask" if accepts("allow") => Reading::Asked,
            "ask" => Reading::AskedNotDenied,
            "deny" => Reading::Denied,
            "allow" => Reading::Allowed,
            _ => Reading::Silent,
        }
    }
}

/// The verdicts of a variant, call by call.
pub(crate) fn verdicts(variant: &Variant, seen: &SessionSeen) -> Vec<Verdict> {
    let expected = variant.steps.iter().flat_map(expectations);
    expected
        .zip(&seen.steps)
        .map(|((judged, accepted), step)| Verdict {
            judged,
            accepted: WORDS
                .iter()
                .filter(|word| accepted.contains(*word))
                .map(|word| (*word).to_owned())
                .collect(),
            seen: by_itself(step).to_owned(),
        })
        .collect()
}

/// For each call of a step: whether it is judged, and what is accepted.
fn expectations(step: &Step) -> Vec<(bool, Vec<&'static str>)> {
    match step {
        Step::Call { expect, .. } => vec![(false, accepted(expect))],
        Step::Judge { expect, .. } => {
            let words = WORDS.iter().filter(|word| expect.decision.accepts(**word));
            vec![(true, words.copied().collect())]
        }
        Step::Batch(batch) => batch.iter().map(|one| (false, accepted(&one.expect))).collect(),
        Step::Act(_) | Step::Restart | Step::Next => Vec::new(),
    }
}

/// A question is seen by its being asked, whatever became of it.
fn accepted(expect: &Expect) -> Vec<&'static str> {
    let unasked = expect.asks.accepts(&0);
    let asked = expect.asks.all().iter().any(|count| *count > 0);
    [
        (unasked && expect.decision.accepts("allow"), "allow"),
        (asked, "ask"),
        (unasked && expect.decision.accepts("deny"), "deny"),
    ]
    .into_iter()
    .filter_map(|(is, word)| is.then_some(word))
    .collect()
}

fn by_itself(step: &StepSeen) -> &'static str {
    use crate::wire::Decision;
    let decision = match &step.seen {
        Seen::Result(answer) => answer.decision,
        Seen::Judged(judged) => judged.decision,
        Seen::Refused(_) => Decision::Deny,
        Seen::Killed | Seen::Nothing if step.asks.is_empty() => return "none",
        Seen::Killed | Seen::Nothing => Decision::Ask,
    };
    match decision {
        _ if !step.asks.is_empty() => "ask",
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

#[cfg(test)]
mod tests {
    use super::{Reading, Verdict};

    #[test]
    fn each_pair_has_a_reading() {
        for (accepted, seen, reading) in [
            (&["allow"][..], "allow", Reading::Expected),
            (&["allow"], "ask", Reading::Asked),
            (&["allow"], "deny", Reading::Denied),
            (&["allow", "ask"], "allow", Reading::Expected),
            (&["allow", "ask"], "ask", Reading::Stricter),
            (&["allow", "ask"], "deny", Reading::Denied),
            (&["ask", "deny"], "allow", Reading::Allowed),
            (&["ask", "deny"], "ask", Reading::Expected),
            (&["ask", "deny"], "deny", Reading::Stricter),
            (&["deny"], "ask", Reading::AskedNotDenied),
            (&["deny"], "none", Reading::Silent),
        ] {
            let verdict = Verdict {
                judged: true,
                accepted: accepted.iter().map(|word| (*word).to_owned()).collect(),
                seen: seen.to_owned(),
            };
            assert_eq!(verdict.reading(), reading, "{accepted:?} {seen}");
        }
    }
}
