//! Which questions stand on the desk, and what became of those that did.
//!
//! Nothing here waits or speaks: it is told what happens and when, so that every race can be replayed. One rule is
//! kept by it: a question is answered once, while it is open, by whoever names it first.

use std::collections::VecDeque;
use std::time::Duration;

use portcullis::desk::wire::{Answered, Asked, NotTakenWhy, Said, TurnedWhy, Why};
use portcullis::{Moment, visible};

/// Most questions at once. A flood gets no answer instead of a place.
const MOST_OPEN: usize = 64;
/// Most questions that are remembered after their end.
const MOST_PAST: usize = 500;
/// Most answers that are counted after a question's end: more of them move nothing any more.
const MOST_LATE: u32 = 99;
/// Longest reason of a no, in characters.
const LONGEST_REASON: usize = 500;

/// The questions.
#[derive(Default)]
pub(crate) struct Board {
    open: Vec<Open>,
    past: VecDeque<Past>,
    version: u64,
}

/// A question that waits.
pub(crate) struct Open {
    /// Safe to show.
    pub(crate) asked: Asked,
    /// The process that asks.
    pub(crate) process: i32,
    deadline: Moment,
    outlet: Box<dyn Outlet>,
}

/// A question that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Past {
    /// Safe to show.
    pub(crate) asked: Asked,
    /// How it ended.
    pub(crate) ended: Ended,
    /// When, in milliseconds since the Unix epoch.
    pub(crate) at_ms: i64,
    /// How many answers came after that, and were not taken.
    pub(crate) late: u32,
}

/// How a question ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// A person answered.
    Answered {
        /// What was said.
        said: Said,
        /// Where.
        by: By,
    },
    /// Nobody did in time.
    TimedOut,
    /// The gate says that the run was cancelled.
    Cancelled,
    /// The gate is gone.
    Gone,
}

/// Where a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Screen,
    Page,
    Script,
}

impl By {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Screen => "at the screen",
            Self::Page => "on the page",
            Self::Script => "by `portcullis ask`",
        }
    }
}

/// The way back to a gate.
pub(crate) trait Outlet: Send {
    /// Takes the answer to the gate; false when nobody is there to take it.
    fn deliver(&mut self, answer: &Answered) -> bool;
    /// Ends the connection.
    fn close(&mut self);
}

/// The clocks at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) moment: Moment,
    pub(crate) wall_ms: i64,
}

impl Board {
    /// Changes whenever anything does.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Oldest first.
    pub(crate) fn open(&self) -> &[Open] {
        &self.open
    }

    /// Latest first.
    pub(crate) fn past(&self) -> impl Iterator<Item = &Past> {
        self.past.iter()
    }

    /// Puts a question onto the desk.
    pub(crate) fn put(
        &mut self,
        asked: Asked,
        process: i32,
        outlet: Box<dyn Outlet>,
        now: Now,
    ) -> Result<(), TurnedWhy> {
        self.expire(now);
        if !asked.is_named_well() {
            return Err(TurnedWhy::Unreadable);
        }
        let id = asked.id.as_str();
        if self.open.iter().any(|open| open.asked.id == id)
            || self.past.iter().any(|past| past.asked.id == id)
        {
            return Err(TurnedWhy::Repeated);
        }
        if self.open.len() >= MOST_OPEN {
            return Err(TurnedWhy::Full);
        }
        let asked = asked.safe();
        let deadline = now.moment.after(Duration::from_millis(asked.remaining_ms));
        self.version += 1;
        self.open.push(Open {
            asked,
            process,
            deadline,
            outlet,
        });
        Ok(())
    }

    /// Takes an answer to the question that it names.
    pub(crate) fn answer(&mut self, answer: &Answered, by: By, now: Now) -> Result<(), NotTakenWhy> {
        self.expire(now);
        let says_more = |open: &Open| open.asked.id == answer.id && !open.asked.offers.hold(&answer.answer);
        if self.open.iter().any(says_more) {
            return Err(NotTakenWhy::NotOffered);
        }
        let Some(mut open) = self.take(&answer.id) else {
            self.came_late(&answer.id);
            return Err(self.why_not(&answer.id));
        };
        let answer = bounded(answer);
        let delivered = open.outlet.deliver(&answer);
        let ended = match delivered {
            true => Ended::Answered {
                said: answer.answer,
                by,
            },
            false => Ended::Gone,
        };
        self.end(open, ended, now);
        match delivered {
            true => Ok(()),
            false => Err(NotTakenWhy::Withdrawn),
        }
    }

    /// The gate waits no longer; `None` when it did not say why.
    pub(crate) fn withdraw(&mut self, id: &str, why: Option<Why>, now: Now) {
        let ended = match why {
            Some(Why::Cancelled) => Ended::Cancelled,
            Some(Why::Timeout) => Ended::TimedOut,
            None => Ended::Gone,
        };
        if let Some(open) = self.take(id) {
            self.end(open, ended, now);
        }
    }

    /// Ends the questions whose time is over.
    pub(crate) fn expire(&mut self, now: Now) {
        while let Some(at) = self.open.iter().position(|open| now.moment > open.deadline) {
            let open = self.open.remove(at);
            self.end(open, Ended::TimedOut, now);
        }
    }

    fn take(&mut self, id: &str) -> Option<Open> {
        let at = self.open.iter().position(|open| open.asked.id == id)?;
        Some(self.open.remove(at))
    }

    fn end(&mut self, mut open: Open, ended: Ended, now: Now) {
        open.outlet.close();
        self.version += 1;
        self.past.push_front(Past {
            asked: open.asked,
            ended,
            at_ms: now.wall_ms,
            late: 0,
        });
        self.past.truncate(MOST_PAST);
    }

    /// An answer to a question that is over is told to whoever looks, up to a number.
    fn came_late(&mut self, id: &str) {
        let past = self.past.iter_mut().find(|past| past.asked.id == id);
        if let Some(past) = past.filter(|past| past.late < MOST_LATE) {
            past.late += 1;
            self.version += 1;
        }
    }

    fn why_not(&self, id: &str) -> NotTakenWhy {
        match self
            .past
            .iter()
            .find(|past| past.asked.id == id)
            .map(|past| &past.ended)
        {
            None => NotTakenWhy::Unknown,
            Some(Ended::Answered { .. }) => NotTakenWhy::Answered,
            Some(Ended::TimedOut) => NotTakenWhy::Late,
            Some(Ended::Cancelled | Ended::Gone) => NotTakenWhy::Withdrawn,
        }
    }
}

impl Open {
    /// How long an answer counts.
    pub(crate) fn remaining(&self, now: Moment) -> Duration {
        self.deadline.since(now)
    }

    /// The question with the time that is left now.
    pub(crate) fn asked_at(&self, now: Moment) -> Asked {
        Asked {
            remaining_ms: u64::try_from(self.remaining(now).as_millis()).unwrap_or(u64::MAX),
            ..self.asked.clone()
        }
    }
}

/// Words for the model are few: a gate cuts them anyway, and a line has to fit.
fn bounded(answer: &Answered) -> Answered {
    let answer = answer.clone();
    match answer.answer {
        Said::Deny { reason } => Answered {
            answer: Said::Deny {
                reason: reason
                    .map(|words| visible(words.trim(), LONGEST_REASON))
                    .filter(|words| !words.is_empty()),
            },
            ..answer
        },
        _ => answer,
    }
}

#[cfg(test)]
mod tests;
