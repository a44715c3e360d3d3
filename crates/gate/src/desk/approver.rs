use std::fmt;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::room::{GATES, Room};
use super::talk::{Over, Talk};
use super::wire::{self, Answered, Asked, FromGate, Said, ToGate, Why, Withdrawn};
use super::{Trouble, line};
use crate::{Answer, Approver, Cancel, Clock, Moment, Question, QuestionId, Reply, Scope};

/// A person at the desk: asks over its socket, one connection a question.
///
/// Whatever is not one whole answer to this very question, said after it was asked, by a process of this user, and
/// followed by nothing, is no answer. What goes wrong is told by [`Desk::take_trouble`].
pub struct Desk {
    directory: PathBuf,
    from: String,
    clock: Arc<dyn Clock>,
    trouble: Option<Trouble>,
}

/// How long the desk may take to say that a question stands, and to close after an answer.
const PATIENCE: Duration = Duration::from_secs(3);

impl Desk {
    /// The desk whose runtime directory this is. `clock` is the gate's. Nothing is opened before a question.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>, clock: impl Clock + 'static) -> Self {
        Self {
            directory: directory.into(),
            from: String::new(),
            clock: Arc::new(clock),
            trouble: None,
        }
    }

    /// Says to the person where the agent works, such as the workspace's directory.
    #[must_use]
    pub fn working_at(mut self, place: impl Into<String>) -> Self {
        self.from = place.into();
        self
    }

    /// What went wrong with the last question, told once; `None` when it was answered, cancelled, or met with
    /// silence.
    pub fn take_trouble(&mut self) -> Option<Trouble> {
        self.trouble.take()
    }

    fn converse(&self, question: &Question, cancel: &Cancel) -> Result<Reply, Over> {
        let socket = Room::open(&self.directory)?.connect(GATES)?;
        self.converse_over(socket, question, cancel)
    }

    fn converse_over(&self, socket: OwnedFd, question: &Question, cancel: &Cancel) -> Result<Reply, Over> {
        let clock = self.clock.as_ref();
        let mut talk = Talk::new(socket, clock, cancel, question.deadline);
        if talk.has_spoken() {
            return Err(Trouble::Unreadable.into());
        }
        let asked = Asked::about(question, &self.from, clock.now());
        let soon = clock.now().after(PATIENCE);
        let answer = talk
            .send(&line(&FromGate::Ask(Box::new(asked))), soon)
            .and_then(|()| stands(&mut talk, question, soon))
            .and_then(|()| answer(&mut talk, clock, question));
        let why = match &answer {
            Err(Over::Cancelled) => Some(Why::Cancelled),
            Err(Over::Silence) => Some(Why::Timeout),
            _ => None,
        };
        if let Some(why) = why {
            let id = question.id.as_str().to_owned();
            talk.part(&line(&FromGate::Withdraw(Withdrawn { id, why })));
        }
        answer
    }
}

/// Waits until the desk says that the question stands there.
fn stands(talk: &mut Talk<'_>, question: &Question, soon: Moment) -> Result<(), Over> {
    let Some(line) = talk.line(soon)? else {
        return Err(Trouble::Closed.into());
    };
    match wire::read(&line) {
        Some(ToGate::Waiting(named)) if named.id == question.id.as_str() => Ok(()),
        Some(ToGate::Refused(_)) => Err(Trouble::Full.into()),
        _ => Err(Trouble::Unreadable.into()),
    }
}

/// Waits for the one answer, and for the end behind it: two answers are none.
fn answer(talk: &mut Talk<'_>, clock: &dyn Clock, question: &Question) -> Result<Reply, Over> {
    let Some(line) = talk.line(question.deadline)? else {
        return Err(Trouble::Closed.into());
    };
    let Some(ToGate::Answer(Answered { id, answer })) = wire::read(&line) else {
        return Err(Trouble::Unreadable.into());
    };
    match talk.line(clock.now().after(PATIENCE)) {
        Ok(None) => Ok(Reply::Answer {
            question: QuestionId::claimed(&id),
            answer: heard(answer),
            reviewer: false,
        }),
        Ok(Some(_)) | Err(Over::Trouble(_)) => Err(Trouble::Unreadable.into()),
        Err(over) => Err(over),
    }
}

fn heard(said: Said) -> Answer {
    match said {
        Said::AllowOnce {} => Answer::AllowOnce,
        Said::AllowAlways {
            lasts_s,
            this_session,
            below,
            kept,
        } => {
            let mut scope = Scope::lasting(Duration::from_secs(lasts_s));
            scope.directory = below.map(PathBuf::from);
            scope.this_session = this_session;
            scope.is_kept = kept;
            Answer::AllowAlways(scope)
        }
        Said::Deny { reason } => Answer::Deny { reason },
    }
}

impl Approver for Desk {
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        self.trouble = None;
        match self.converse(question, cancel) {
            Ok(reply) => reply,
            Err(Over::Silence) => Reply::Silence,
            Err(Over::Cancelled) => Reply::Cancelled,
            Err(Over::Trouble(trouble)) => {
                self.trouble = Some(trouble);
                match trouble {
                    Trouble::Unreadable => Reply::Unreadable,
                    _ => Reply::HungUp,
                }
            }
        }
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("directory", &self.directory)
            .field("trouble", &self.trouble)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
