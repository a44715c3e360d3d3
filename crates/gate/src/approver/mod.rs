mod absent;
mod marked;
mod question;
mod scripted;
mod survey;
mod terminal;

pub use absent::Absent;
pub use marked::Marked;
pub(crate) use question::NoRandomness;
pub use question::{Question, QuestionId};
pub use scripted::{Behaviour, Scripted};
pub use terminal::Terminal;

use crate::{Cancel, Scope};

/// What an approver may say. Anything else it does is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new answer must break the build")]
pub enum Answer {
    /// This call, once.
    AllowOnce,
    /// This call, and later ones within the scope. Said by a model reviewer, or about a call that cannot be
    /// granted, it is `AllowOnce`.
    AllowAlways(Scope),
    /// No, with words for the model.
    Deny {
        /// Shown to the model, escaped and bounded.
        reason: Option<String>,
    },
}

/// What came back from an approver.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new way to fail must break the build")]
pub enum Reply {
    /// An answer to the question it names.
    Answer {
        /// Which question.
        question: QuestionId,
        /// What was said.
        answer: Answer,
        /// Said by a model reviewer and not by a person.
        reviewer: bool,
    },
    /// The deadline passed in silence.
    Silence,
    /// There is nobody to ask, or the line broke.
    HungUp,
    /// The run was cancelled while waiting.
    Cancelled,
    /// Something came back that is not an answer.
    Unreadable,
}

/// Anyone who can be asked: a terminal, a desk, a host's dialog, a script in a test.
pub trait Approver {
    /// Asks, and returns what came back no later than the question's deadline or the cancellation.
    ///
    /// An approver that stays longer keeps the caller waiting and gains nothing: an answer after the deadline or
    /// after the cancellation is refused whatever it says.
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply;
}

/// The same for hosts with a runtime of their own; the deadline is the approver's to keep.
pub trait AsyncApprover {
    /// Asks, and returns what came back.
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> impl Future<Output = Reply>;
}
