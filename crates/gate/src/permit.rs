use portcullis_classify::{Call, Effect};

use crate::Refusal;

/// The only thing an effect accepts. Made by the gate alone, not `Clone`, used up by value, bound to the digest
/// of the exact call and to the held targets. Dropped unused, it is recorded as unused.
#[derive(Debug)]
pub struct Permit {}

impl Permit {
    /// The call that may run.
    #[must_use]
    pub fn call(&self) -> &Call {
        todo!()
    }
    /// Its effects, with held targets.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        todo!()
    }
    /// Starts the effect: checks that `call` is what was approved, that the targets are still what was judged,
    /// and that the run was not cancelled.
    ///
    /// # Errors
    /// `Changed`, `Cancelled`.
    pub fn redeem(self, call: &Call) -> Result<Running, Refusal> {
        let _ = call;
        todo!()
    }
}

/// A permitted effect under way. It must be finished; dropped, it is recorded as failed.
#[derive(Debug)]
#[must_use]
pub struct Running {}

impl Running {
    /// The targets, by effect.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        todo!()
    }
    /// Records that it was done.
    ///
    /// # Errors
    /// `Fault` when the outcome could not be recorded; the effect has happened all the same.
    pub fn done(self) -> Result<(), Refusal> {
        todo!()
    }
    /// Records that it failed, with one sentence.
    ///
    /// # Errors
    /// `Fault` when the outcome could not be recorded.
    pub fn failed(self, reason: &str) -> Result<(), Refusal> {
        let _ = reason;
        todo!()
    }
}
