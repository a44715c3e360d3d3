//! Submitting and asking in one step.

use std::pin::pin;
use std::task::{Context, Poll};

use portcullis_classify::Call;

use crate::guard::guarded;
use crate::{Approver, AsyncApprover, Cancel, Gate, Moment, Pending, Permit, Refusal, Reply, Step};

const PANICKED: &str = "the approver panicked";

impl Gate {
    /// Submits, and asks when that is needed; blocks until there is a permit or a refusal.
    ///
    /// The approver is trusted with nothing: its panic is a fault, and its answer counts only when the deadline
    /// has not passed and the run is not cancelled at the moment it returns.
    ///
    /// # Errors
    /// The refusal.
    pub fn decide(
        &self,
        call: Call,
        approver: &mut dyn Approver,
        cancel: &Cancel,
    ) -> Result<Permit, Refusal> {
        let pending = match self.submit(call, cancel) {
            Step::Permitted(permit) => return Ok(permit),
            Step::Refused(refusal) => return Err(refusal),
            Step::Ask(pending) => pending,
        };
        if let Some(over) = over(&pending, self.now()) {
            return pending.settle(over, self.now());
        }
        match guarded(|| approver.ask(pending.question(), cancel)) {
            Ok(reply) => pending.settle(reply, self.now()),
            Err(_) => Err(pending.fail(PANICKED)),
        }
    }

    /// The same without blocking the thread.
    ///
    /// Dropping the future is a refusal, recorded as cancelled. Deadline and cancellation are looked at whenever
    /// the future is polled; it has no timer of its own, so an approver that never wakes it is the host's to end,
    /// by dropping the future.
    ///
    /// # Errors
    /// The refusal.
    pub async fn decide_async<A: AsyncApprover>(
        &self,
        call: Call,
        approver: &mut A,
        cancel: &Cancel,
    ) -> Result<Permit, Refusal> {
        let pending = match self.submit(call, cancel) {
            Step::Permitted(permit) => return Ok(permit),
            Step::Refused(refusal) => return Err(refusal),
            Step::Ask(pending) => pending,
        };
        match self.ask_async(&pending, approver, cancel).await {
            Some(reply) => pending.settle(reply, self.now()),
            None => Err(pending.fail(PANICKED)),
        }
    }

    /// What came back; `None` when the approver panicked.
    async fn ask_async<A: AsyncApprover>(
        &self,
        pending: &Pending,
        approver: &mut A,
        cancel: &Cancel,
    ) -> Option<Reply> {
        if let Some(over) = over(pending, self.now()) {
            return Some(over);
        }
        let answer = guarded(|| approver.ask(pending.question(), cancel)).ok()?;
        let mut answer = pin!(answer);
        std::future::poll_fn(|context: &mut Context<'_>| {
            if let Some(over) = over(pending, self.now()) {
                return Poll::Ready(Some(over));
            }
            match guarded(|| answer.as_mut().poll(context)) {
                Ok(Poll::Pending) => Poll::Pending,
                Ok(Poll::Ready(reply)) => Poll::Ready(Some(reply)),
                Err(_) => Poll::Ready(None),
            }
        })
        .await
    }
}

/// Why there is nothing to wait for any more.
fn over(pending: &Pending, now: Moment) -> Option<Reply> {
    if pending.cancel().is_raised() {
        Some(Reply::Cancelled)
    } else if now > pending.question().deadline {
        Some(Reply::Silence)
    } else {
        None
    }
}
