use crate::{Approver, AsyncApprover, Cancel, Question, Reply};

/// Nobody: every question is refused with `NoApprover`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Absent;

impl Approver for Absent {
    fn ask(&mut self, _question: &Question, _cancel: &Cancel) -> Reply {
        Reply::HungUp
    }
}

impl AsyncApprover for Absent {
    async fn ask(&mut self, _question: &Question, _cancel: &Cancel) -> Reply {
        Reply::HungUp
    }
}
