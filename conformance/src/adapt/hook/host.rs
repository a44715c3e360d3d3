//! What Claude Code does with a hook's opinion.

use super::answer::Opinion;
use super::event::Unfit;
use crate::wire::Decision;

/// What the host does with a call about which the hook said nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum NoOpinion {
    /// It asks its user, about everything: permission mode `default`, without rules.
    Ask,
    /// It runs it: permission mode `bypassPermissions`.
    Allow,
}

impl NoOpinion {
    /// The mode, as the hook is told.
    pub(super) fn permission_mode(self) -> &'static str {
        match self {
            Self::Ask => "default",
            Self::Allow => "bypassPermissions",
        }
    }
}

/// What the host does when the hook fails (`onFailure`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OnFailure {
    /// As if the hook had said nothing: what Claude Code does unless it is told otherwise.
    Continue,
    /// The call does not run.
    Block,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) decision: Decision,
    pub(super) reason: &'static str,
    /// The text for the model.
    pub(super) told: Option<String>,
}

impl Outcome {
    fn of(decision: Decision) -> Self {
        Self {
            decision,
            reason: "policy",
            told: None,
        }
    }

    pub(super) fn refused(reason: &'static str, told: impl Into<String>) -> Self {
        Self {
            decision: Decision::Deny,
            reason,
            told: Some(told.into()),
        }
    }
}

/// What the host does with a call that it does not bring before a hook.
pub(super) fn unfit(unfit: Unfit) -> Outcome {
    match unfit {
        Unfit::Tool => Outcome::refused("unknown_tool", "no such tool"),
        Unfit::Arguments => Outcome::refused("bad_arguments", "the arguments do not fit the tool"),
    }
}

/// What the host does with an opinion.
pub(super) fn outcome(opinion: Opinion, no_opinion: NoOpinion, on_failure: OnFailure) -> Outcome {
    let without = || {
        Outcome::of(match no_opinion {
            NoOpinion::Ask => Decision::Ask,
            NoOpinion::Allow => Decision::Allow,
        })
    };
    match opinion {
        Opinion::Allow => Outcome::of(Decision::Allow),
        Opinion::Ask => Outcome::of(Decision::Ask),
        Opinion::Deny(told) => Outcome::refused("policy", told),
        // The runner would perform the call that was sent, not the one that the hook means.
        Opinion::Rewritten => Outcome::refused("changed", "the hook changes the arguments"),
        Opinion::None => without(),
        Opinion::Failed(why) => {
            eprintln!("the hook failed: {why}");
            match on_failure {
                OnFailure::Continue => without(),
                OnFailure::Block => Outcome::refused("fault", why),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoOpinion, OnFailure, Opinion, outcome};
    use crate::wire::Decision;

    #[test]
    fn nothing_said_is_what_the_host_does_without_a_hook() {
        let failed = || Opinion::Failed("exit code 1".to_owned());
        let decided = |opinion, no_opinion, on_failure| outcome(opinion, no_opinion, on_failure).decision;
        for (mode, expected) in [
            (NoOpinion::Ask, Decision::Ask),
            (NoOpinion::Allow, Decision::Allow),
        ] {
            assert_eq!(decided(Opinion::None, mode, OnFailure::Continue), expected);
            assert_eq!(decided(Opinion::None, mode, OnFailure::Block), expected);
            assert_eq!(decided(failed(), mode, OnFailure::Continue), expected);
            let blocked = outcome(failed(), mode, OnFailure::Block);
            assert_eq!((blocked.decision, blocked.reason), (Decision::Deny, "fault"));
            assert_eq!(
                decided(Opinion::Deny(String::new()), mode, OnFailure::Continue),
                Decision::Deny
            );
            assert_eq!(decided(Opinion::Ask, mode, OnFailure::Continue), Decision::Ask);
            let rewritten = outcome(Opinion::Rewritten, mode, OnFailure::Continue);
            assert_eq!(
                (rewritten.decision, rewritten.reason),
                (Decision::Deny, "changed")
            );
        }
    }
}
