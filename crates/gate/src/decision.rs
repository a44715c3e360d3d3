use std::fmt;
use std::sync::Arc;

use portcullis_audit::{Event, Finished, Outcome, Redacted};

use crate::Refusal;
use crate::batch::Claim;
use crate::shared::{NotRecorded, Shared};

/// A recorded permission whose outcome is not known yet. At most one outcome is recorded for it; dropped, it
/// records that nothing was started, or that what was started did not end.
pub(crate) struct OpenDecision {
    shared: Arc<Shared>,
    session: Option<Redacted>,
    call: Redacted,
    sequence: u64,
    stage: Stage,
    claim: Option<Claim>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Unused,
    Started,
    Closed,
}

impl OpenDecision {
    pub(crate) fn new(
        shared: Arc<Shared>,
        session: Option<Redacted>,
        call: Redacted,
        sequence: u64,
        claim: Option<Claim>,
    ) -> Self {
        Self {
            shared,
            session,
            call,
            sequence,
            stage: Stage::Unused,
            claim,
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// From here on, being dropped is a failure of the effect.
    pub(crate) fn start(&mut self) {
        self.stage = Stage::Started;
    }

    /// Records how it ended.
    pub(crate) fn close(mut self, outcome: Outcome) -> Result<(), NotRecorded> {
        self.stage = Stage::Closed;
        self.record(outcome)
    }

    /// Records that nothing was started and gives the reason back, or a fault when that cannot be recorded.
    pub(crate) fn close_without_effect(self, outcome: Outcome, refusal: Refusal) -> Refusal {
        match self.close(outcome) {
            Ok(()) => refusal,
            Err(NotRecorded) => crate::undecided::unrecorded(),
        }
    }

    /// Leaves it open for good: the outcome is not ours to know.
    pub(crate) fn leave_open(mut self) {
        self.stage = Stage::Closed;
        if let Some(claim) = self.claim.take() {
            claim.leave();
        }
    }

    fn record(&self, outcome: Outcome) -> Result<(), NotRecorded> {
        let event = Event::Finished(Finished {
            session: self.session.clone(),
            call: self.call.clone(),
            decision: self.sequence,
            outcome,
        });
        self.shared.record(&event).map(|_| ())
    }
}

impl Drop for OpenDecision {
    fn drop(&mut self) {
        let outcome = match self.stage {
            Stage::Closed => return,
            Stage::Unused => Outcome::Unused,
            Stage::Started => Outcome::Failed {
                reason: Redacted::fixed("it was abandoned before its end"),
            },
        };
        // There is nobody left to tell; without the record the decision stays visibly open in the log.
        let _recorded = self.record(outcome);
    }
}

impl fmt::Debug for OpenDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenDecision")
            .field("call", &self.call)
            .field("sequence", &self.sequence)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
