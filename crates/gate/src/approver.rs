use std::time::Duration;

use portcullis_classify::Cause;

use crate::{Cancel, Moment, Scope};

/// Names one question; unguessable, used once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuestionId(String);

/// What an approver is shown. Every text in it is escaped and bounded: it is safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// Names the question; an answer must name it back.
    pub id: QuestionId,
    /// The call's id.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The agent or sub-agent that asks.
    pub agent: Option<String>,
    /// One line an effect: `delete /work/app/build/cache`.
    pub effects: Vec<String>,
    /// Why it is asked, strictest first.
    pub causes: Vec<Cause>,
    /// Silence after this moment is no.
    pub deadline: Moment,
}

/// What an approver may say. Anything else it does is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new answer must break the build")]
pub enum Answer {
    /// This call, once.
    AllowOnce,
    /// This call, and later ones within the scope.
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
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply;
}

/// The same for hosts with a runtime of their own; the deadline is the approver's to keep.
pub trait AsyncApprover {
    /// Asks, and returns what came back.
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> impl Future<Output = Reply>;
}

/// Nobody: every question is refused with `NoApprover`.
#[derive(Debug, Default)]
pub struct Absent;

/// Answers from a list, for tests and dry runs.
#[derive(Debug, Default)]
pub struct Scripted {}

/// A person at the controlling terminal (`/dev/tty`), never standard input.
#[derive(Debug)]
pub struct Terminal {}

impl Terminal {
    /// The controlling terminal; `None` when there is none.
    #[must_use]
    pub fn open(remaining: Duration) -> Option<Self> {
        let _ = remaining;
        todo!()
    }
}
