use std::time::Duration;

use portcullis_classify::{Call, Classifier};

use crate::{Approver, AsyncApprover, Cancel, Clock, Grant, GrantId, Ledger, Pending, Permit, Refusal};

/// How a gate behaves; risk is the policy's, not a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Silence becomes no after this long.
    pub deadline: Duration,
    /// Largest file that the built-in tools read or write, in bytes.
    pub file_limit: u64,
    /// Most names that the built-in listing returns.
    pub list_limit: usize,
    /// Whose grants these are.
    pub user: String,
}

/// One call's way from submission to permit. Cheap to share between threads (`Clone` shares the state).
#[derive(Clone)]
pub struct Gate {}

/// What a submitted call may do next.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a new step must break the build")]
pub enum Step {
    /// It may run.
    Permitted(Permit),
    /// Someone has to be asked.
    Ask(Pending),
    /// It does not run.
    Refused(Refusal),
}

impl Gate {
    /// A gate over a classifier, a ledger and clocks.
    #[must_use]
    pub fn new(
        classifier: Classifier,
        ledger: impl Ledger + 'static,
        clock: impl Clock + 'static,
        settings: Settings,
    ) -> Self {
        let _ = (classifier, ledger, clock, settings);
        todo!()
    }

    /// Judges a call and records the decision durably. Every failure is a refusal; there is no other error.
    #[must_use]
    pub fn submit(&self, call: Call, cancel: &Cancel) -> Step {
        let _ = (call, cancel);
        todo!()
    }

    /// Submits, and asks when that is needed; blocks until there is a permit or a refusal.
    ///
    /// # Errors
    /// The refusal.
    pub fn decide(
        &self,
        call: Call,
        approver: &mut dyn Approver,
        cancel: &Cancel,
    ) -> Result<Permit, Refusal> {
        let _ = (call, approver, cancel);
        todo!()
    }

    /// The same without blocking the thread.
    ///
    /// # Errors
    /// The refusal.
    pub async fn decide_async<A: AsyncApprover>(
        &self,
        call: Call,
        approver: &mut A,
        cancel: &Cancel,
    ) -> Result<Permit, Refusal> {
        let _ = (call, approver, cancel);
        todo!()
    }

    /// The grants in force.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        todo!()
    }

    /// Takes a grant back; false when there is none of that id.
    pub fn revoke(&self, grant: GrantId) -> bool {
        let _ = grant;
        todo!()
    }
}
