use std::cmp::Reverse;

use crate::{Layer, Risk};
use portcullis_paths::visible;

/// Most characters of a cause's text.
const TEXT_LIMIT: usize = 600;

/// Why a verdict is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cause {
    /// The rule's id.
    pub rule: String,
    /// The layer the rule stands in.
    pub layer: Layer,
    /// The risk this rule asks for.
    pub risk: Risk,
    /// Index of the effect it is about, when it is about one.
    pub effect: Option<usize>,
    /// One sentence for a person: lower case, no full stop, hostile text escaped.
    pub text: String,
    /// The rule's id is for people and records, not for the model: it would tell apart what a refusal must not tell
    /// apart (R15).
    pub reticent: bool,
}

impl Cause {
    /// A cause that is about the whole call. The text is made safe to look at and bounded (invariant 11).
    #[must_use]
    pub fn new(rule: impl Into<String>, layer: Layer, risk: Risk, text: &str) -> Self {
        Self {
            rule: rule.into(),
            layer,
            risk,
            effect: None,
            text: visible(text, TEXT_LIMIT),
            reticent: false,
        }
    }

    /// The same cause, with an id that the model is not told.
    #[must_use]
    pub fn reticent(mut self) -> Self {
        self.reticent = true;
        self
    }

    /// The same cause, about the effect of that index.
    #[must_use]
    pub fn about(mut self, effect: usize) -> Self {
        self.effect = Some(effect);
        self
    }
}

/// A risk and all its causes, strictest first. There is always at least one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    risk: Risk,
    causes: Vec<Cause>,
}

impl Verdict {
    /// Joins causes: the risk is the strictest of theirs. Causes of equal risk keep their order, and a cause that
    /// stands there twice is kept once.
    ///
    /// No cause at all means that nothing judged the call; that is denied, with a cause that says so.
    #[must_use]
    pub fn join(causes: impl IntoIterator<Item = Cause>) -> Self {
        let mut kept: Vec<Cause> = Vec::new();
        for cause in causes {
            if !kept.contains(&cause) {
                kept.push(cause);
            }
        }
        if kept.is_empty() {
            kept.push(Cause::new(
                "verdict.empty",
                Layer::BuiltIn,
                Risk::Deny,
                "no rule judged the call",
            ));
        }
        kept.sort_by_key(|cause| Reverse(cause.risk));
        Self {
            risk: Risk::join_all(kept.iter().map(|cause| cause.risk)),
            causes: kept,
        }
    }

    /// The strictest risk.
    #[must_use]
    pub fn risk(&self) -> Risk {
        self.risk
    }
    /// The causes, strictest first.
    #[must_use]
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_cause() -> impl Strategy<Value = Cause> {
        (
            "[a-c]",
            prop::sample::select(Layer::ALL.to_vec()),
            prop::sample::select(Risk::ALL.to_vec()),
            prop::option::of(0_usize..3),
        )
            .prop_map(|(rule, layer, risk, effect)| Cause {
                effect,
                ..Cause::new(rule, layer, risk, "because")
            })
    }

    proptest! {
        #[test]
        fn the_risk_is_that_of_the_first_cause_and_every_cause_is_kept(causes in prop::collection::vec(any_cause(), 1..12)) {
            let verdict = Verdict::join(causes.clone());
            prop_assert_eq!(verdict.risk(), Risk::join_all(causes.iter().map(|cause| cause.risk)));
            prop_assert_eq!(verdict.causes().first().map(|cause| cause.risk), Some(verdict.risk()));
            prop_assert!(verdict.causes().is_sorted_by(|a, b| a.risk >= b.risk));
            for cause in &causes {
                prop_assert!(verdict.causes().contains(cause));
            }
            prop_assert!(verdict.causes().iter().all(|cause| causes.contains(cause)));
        }

        #[test]
        fn joining_is_idempotent_and_grows_only_upwards(causes in prop::collection::vec(any_cause(), 1..12), more in any_cause()) {
            let verdict = Verdict::join(causes.clone());
            prop_assert_eq!(&Verdict::join(verdict.causes().to_vec()), &verdict);
            let mut with = causes;
            with.push(more);
            prop_assert!(Verdict::join(with).risk() >= verdict.risk());
        }
    }

    #[test]
    fn equal_risks_keep_their_order() {
        let cause = |rule: &str, risk| Cause::new(rule, Layer::User, risk, "because");
        let verdict = Verdict::join([
            cause("a", Risk::Allow),
            cause("b", Risk::Confirm),
            cause("c", Risk::Allow),
            cause("d", Risk::Confirm),
        ]);
        let order: Vec<_> = verdict.causes().iter().map(|cause| cause.rule.as_str()).collect();
        assert_eq!(order, ["b", "d", "a", "c"]);
    }

    #[test]
    fn nothing_at_all_is_denied_with_a_cause() {
        let verdict = Verdict::join([]);
        assert_eq!(verdict.risk(), Risk::Deny);
        assert_eq!(verdict.causes().len(), 1);
    }

    #[test]
    fn a_text_cannot_paint_the_terminal() {
        let cause = Cause::new("a", Layer::User, Risk::Deny, "x\u{1b}[2J\r\n\u{202e}y");
        assert!(cause.text.chars().all(|c| c.is_ascii_graphic()), "{}", cause.text);
    }
}
