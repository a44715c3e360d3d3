use std::fmt;
use std::sync::Arc;

use portcullis_audit::{Asked, CauseText, Decided, DecidedBy, Decision, Event, Redacted, Subject};
use portcullis_classify::Assessment;

use crate::batch::{Claim, Speaker};
use crate::breaker::{Ended, Intent};
use crate::decision::OpenDecision;
use crate::shared::{NotRecorded, Shared};
use crate::subject::learn;
use crate::{GrantId, QuestionId, Refusal, RefusalKind};

/// A submitted call without a decision. Exactly one decision is recorded for it, whatever happens to this value.
pub(crate) struct Undecided {
    shared: Arc<Shared>,
    subject: Box<Subject>,
    if_dropped: RefusalKind,
    open: bool,
    /// What was asked about.
    asked: Option<Box<(QuestionId, Intent)>>,
    /// Whose message the call is of, when it names one.
    speaker: Option<Speaker>,
    /// What it may change of what later calls of its message are about.
    claim: Option<Claim>,
}

impl Undecided {
    pub(crate) fn new(shared: Arc<Shared>, subject: Subject) -> Self {
        Self {
            shared,
            subject: Box::new(subject),
            // Before a question is out, only a panic drops it.
            if_dropped: RefusalKind::Fault,
            open: true,
            asked: None,
            speaker: None,
            claim: None,
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Holds the call against the earlier ones of its message.
    pub(crate) fn claim(&mut self, assessment: &mut Assessment) {
        self.claim = Claim::make(&self.shared, assessment);
    }

    pub(crate) fn learn(&mut self, assessment: &Assessment) {
        learn(&mut self.subject, assessment);
    }

    /// The record says which grant: `grant.used` let the call run, `grant.given` came of its answer.
    pub(crate) fn learn_grant(&mut self, what: &'static str, id: GrantId) {
        self.subject.causes.push(CauseText {
            rule: Redacted::id(&format!("{what}:{id}")),
            layer: Redacted::fixed("grant"),
        });
    }

    /// Records that a question goes out.
    pub(crate) fn ask(
        &mut self,
        deadline_ms: u64,
        question: &QuestionId,
        intent: Intent,
        speaker: Option<Speaker>,
    ) -> Result<(), NotRecorded> {
        self.asked = Some(Box::new((question.clone(), intent)));
        self.speaker = speaker;
        let recorded = self.shared.record(&Event::Asked(Asked {
            subject: Subject::clone(&self.subject),
            deadline_ms,
        }));
        match recorded {
            Ok(_) => self.if_dropped = RefusalKind::Cancelled,
            Err(NotRecorded) => self.note(Ended::Neither),
        }
        recorded.map(drop)
    }

    /// Records that it may run. Only a durable record gives the open decision that a permit is made of.
    pub(crate) fn permit(mut self, by: DecidedBy) -> Result<OpenDecision, Refusal> {
        match self.decide(Decision::Permitted, by) {
            Ok(sequence) => {
                self.open = false;
                self.note(Ended::Allowed);
                Ok(OpenDecision::new(
                    Arc::clone(&self.shared),
                    self.subject.session.clone(),
                    self.subject.call.clone(),
                    sequence,
                    self.claim.take(),
                ))
            }
            Err(NotRecorded) => Err(self.refuse(unrecorded())),
        }
    }

    /// Records that it does not run. A refusal that cannot be recorded is a fault.
    pub(crate) fn refuse(mut self, refusal: Refusal) -> Refusal {
        self.open = false;
        let kind = refusal.kind();
        self.note(Ended::refused(kind));
        match self.decide(Decision::Refused { code: kind.code() }, kind.by()) {
            Ok(_) => refusal,
            Err(NotRecorded) => unrecorded(),
        }
    }

    /// Records that the host asks its own user.
    pub(crate) fn hand_to_host(mut self) -> Result<(), Refusal> {
        match self.decide(Decision::HandedToHost, DecidedBy::Nobody) {
            Ok(_) => {
                self.open = false;
                // What the host's user says is not told.
                self.note(Ended::Neither);
                if let Some(claim) = self.claim.take() {
                    claim.leave();
                }
                Ok(())
            }
            Err(NotRecorded) => Err(self.refuse(unrecorded())),
        }
    }

    /// What came of the question, when there was one.
    fn note(&mut self, ended: Ended) {
        if let Some(asked) = self.asked.take() {
            let (question, intent) = *asked;
            let settings = &self.shared.settings.breaker;
            let speaker = self.speaker.as_ref();
            let now_ms = self.shared.clock.wall_ms();
            let mut run = self.shared.run();
            run.note(&question, intent, speaker, ended, settings, now_ms);
        }
    }

    fn decide(&self, decision: Decision, by: DecidedBy) -> Result<u64, NotRecorded> {
        let event = Event::Decided(Decided {
            subject: Subject::clone(&self.subject),
            decision,
            by,
        });
        self.shared.record(&event).map(|receipt| receipt.sequence)
    }
}

pub(crate) fn unrecorded() -> Refusal {
    Refusal::fault("the audit log cannot be written")
}

impl Drop for Undecided {
    fn drop(&mut self) {
        if self.open {
            let kind = self.if_dropped;
            self.note(Ended::refused(kind));
            // There is nobody left to tell; without the record the question stays visibly open in the log.
            let _recorded = self.decide(Decision::Refused { code: kind.code() }, kind.by());
        }
    }
}

impl fmt::Debug for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Undecided")
            .field("call", &self.subject.call)
            .finish_non_exhaustive()
    }
}
