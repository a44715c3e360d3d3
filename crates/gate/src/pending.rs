use crate::{Moment, Permit, Question, Refusal, Reply};

/// A call that waits for an answer. Dropping it is a refusal, and recorded as one.
#[derive(Debug)]
pub struct Pending {}

impl Pending {
    /// What to ask.
    #[must_use]
    pub fn question(&self) -> &Question {
        todo!()
    }
    /// Takes what came back. Only an allow that names this question, before its deadline, gives a permit.
    ///
    /// # Errors
    /// The refusal, already recorded.
    pub fn settle(self, reply: Reply, now: Moment) -> Result<Permit, Refusal> {
        let _ = (reply, now);
        todo!()
    }
}
