use std::fmt;

use portcullis_audit::DecidedBy;
use portcullis_classify::{Assessment, Call, Effect};

use crate::grant::{GrantKey, Now};
use crate::undecided::Undecided;
use crate::{Answer, Cancel, GrantId, Moment, Permit, Question, Refusal, RefusalKind, Reply, Scope};

/// A call that waits for an answer. Dropping it is a refusal, and recorded as one.
#[must_use = "a dropped question is a refused call"]
pub struct Pending {
    question: Box<Question>,
    call: Call,
    effects: Vec<Effect>,
    grant: Option<GrantKey>,
    cancel: Cancel,
    undecided: Undecided,
}

/// An allow that counts.
struct Allowed {
    by: DecidedBy,
    scope: Option<Scope>,
}

impl Pending {
    pub(crate) fn new(
        question: Question,
        assessment: Assessment,
        grant: Option<GrantKey>,
        cancel: Cancel,
        undecided: Undecided,
    ) -> Self {
        Self {
            question: Box::new(question),
            call: assessment.call,
            effects: assessment.effects,
            grant,
            cancel,
            undecided,
        }
    }

    /// What to ask.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The call that is asked about.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Its effects, with held targets.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Takes what came back. Only an allow that names this question, before its deadline, gives a permit.
    ///
    /// # Errors
    /// The refusal, already recorded.
    pub fn settle(self, reply: Reply, now: Moment) -> Result<Permit, Refusal> {
        let allowed = match self.hear(reply, now) {
            Ok(allowed) => allowed,
            Err(refusal) => return Err(self.undecided.refuse(refusal)),
        };
        let shared = self.undecided.shared().clone();
        let mut undecided = self.undecided;
        let grant = match (allowed.scope, self.grant, GrantId::fresh()) {
            (Some(scope), Some(key), Some(id)) if self.question.offers.hold(&scope) && key.holds(&scope) => {
                Some((id, key, scope))
            }
            _ => None,
        };
        if let Some((id, ..)) = &grant {
            undecided.learn_grant("grant.given", *id);
        }
        let open = undecided.permit(allowed.by)?;
        if let Some((id, key, scope)) = grant {
            let now = Now {
                moment: now,
                ..shared.now()
            };
            shared.grants().add(id, key, &scope, now);
        }
        Ok(Permit::new(self.call, self.effects, self.cancel, open))
    }

    /// Leaves the question to the host's own prompt and records that. The answer is not ours to know, so there
    /// is no permit.
    ///
    /// # Errors
    /// `Cancelled`, and `Fault` when it could not be recorded; the host must then not run the call.
    pub fn hand_to_host(self) -> Result<(), Refusal> {
        if self.cancel.is_raised() {
            return Err(self.undecided.refuse(Refusal::new(RefusalKind::Cancelled)));
        }
        self.undecided.hand_to_host()
    }

    /// Refuses because something of ours failed.
    pub(crate) fn fail(self, what: &'static str) -> Refusal {
        self.undecided.refuse(Refusal::fault(what))
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The one place that tells a yes from everything else.
    fn hear(&self, reply: Reply, now: Moment) -> Result<Allowed, Refusal> {
        if self.cancel.is_raised() || reply == Reply::Cancelled {
            return Err(Refusal::new(RefusalKind::Cancelled));
        }
        if now > self.question.deadline {
            return Err(Refusal::new(RefusalKind::Timeout));
        }
        match reply {
            Reply::Answer {
                question,
                answer,
                reviewer,
            } if question == self.question.id => judge(answer, reviewer),
            Reply::Answer { .. } => Err(Refusal::fault("the answer was to another question")),
            Reply::Silence => Err(Refusal::new(RefusalKind::Timeout)),
            Reply::HungUp => Err(Refusal::new(RefusalKind::NoApprover)),
            Reply::Cancelled => Err(Refusal::new(RefusalKind::Cancelled)),
            Reply::Unreadable => Err(Refusal::fault("what came back was not an answer")),
        }
    }
}

fn judge(answer: Answer, reviewer: bool) -> Result<Allowed, Refusal> {
    let (by, no) = if reviewer {
        (DecidedBy::Reviewer, RefusalKind::DeniedByReviewer)
    } else {
        (DecidedBy::Human, RefusalKind::DeniedByHuman)
    };
    match answer {
        Answer::AllowOnce => Ok(Allowed { by, scope: None }),
        // Only a person can give standing permission.
        Answer::AllowAlways(scope) => Ok(Allowed {
            by,
            scope: (!reviewer).then_some(scope),
        }),
        Answer::Deny { reason } => Err(Refusal::new(no).with_note(reason.as_deref().unwrap_or_default())),
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("question", &self.question.id)
            .field("tool", &self.question.tool)
            .finish_non_exhaustive()
    }
}
