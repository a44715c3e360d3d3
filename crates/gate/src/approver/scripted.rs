use std::collections::VecDeque;
use std::time::Duration;

use crate::{Answer, Approver, AsyncApprover, Cancel, Question, QuestionId, Reply, StillClock};

/// Answers from a list, for tests and dry runs. When the list is empty it has hung up.
#[derive(Debug, Default)]
pub struct Scripted {
    script: VecDeque<Behaviour>,
    asked: Vec<Question>,
    clock: Option<StillClock>,
}

/// What a scripted approver does with one question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Behaviour {
    /// A person's answer, in time.
    Say(Answer),
    /// A model reviewer's answer, in time.
    Review(Answer),
    /// A person's answer that names the question before this one, or one that never was.
    AnswerAnother(Answer),
    /// A person's answer one millisecond after the deadline. Needs [`Scripted::with_clock`]; without a clock to
    /// move it is silence.
    AnswerLate(Answer),
    /// Raises the cancel flag and answers all the same.
    CancelThenSay(Answer),
    /// Says nothing.
    Silence,
    /// Hangs up.
    HangUp,
    /// Says that the run was cancelled.
    Cancelled,
    /// Sends something that is not an answer.
    Garbage,
    /// Panics.
    Panic,
}

impl Scripted {
    /// An approver that does these things, one a question.
    #[must_use]
    pub fn new(script: impl IntoIterator<Item = Behaviour>) -> Self {
        Self {
            script: script.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The clock that a late answer moves.
    #[must_use]
    pub fn with_clock(mut self, clock: StillClock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The questions that were asked.
    #[must_use]
    pub fn asked(&self) -> &[Question] {
        &self.asked
    }

    fn play(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        let another = self.asked.last().map_or_else(
            || QuestionId::claimed("no such question"),
            |before| before.id.clone(),
        );
        self.asked.push(question.clone());
        let say = |question: &QuestionId, answer, reviewer| Reply::Answer {
            question: question.clone(),
            answer,
            reviewer,
        };
        match self.script.pop_front() {
            None | Some(Behaviour::HangUp) => Reply::HungUp,
            Some(Behaviour::Say(answer)) => say(&question.id, answer, false),
            Some(Behaviour::Review(answer)) => say(&question.id, answer, true),
            Some(Behaviour::AnswerAnother(answer)) => say(&another, answer, false),
            Some(Behaviour::AnswerLate(answer)) => {
                let Some(clock) = &self.clock else {
                    return Reply::Silence;
                };
                clock.move_to(question.deadline.after(Duration::from_millis(1)));
                say(&question.id, answer, false)
            }
            Some(Behaviour::CancelThenSay(answer)) => {
                cancel.raise();
                say(&question.id, answer, false)
            }
            Some(Behaviour::Silence) => Reply::Silence,
            Some(Behaviour::Cancelled) => Reply::Cancelled,
            Some(Behaviour::Garbage) => Reply::Unreadable,
            // Without the panic hook: a scripted panic is no news for standard error.
            Some(Behaviour::Panic) => std::panic::resume_unwind(Box::new("scripted")),
        }
    }
}

impl Approver for Scripted {
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        self.play(question, cancel)
    }
}

impl AsyncApprover for Scripted {
    async fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        self.play(question, cancel)
    }
}
