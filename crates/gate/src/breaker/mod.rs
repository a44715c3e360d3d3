//! When nobody wants it, asking ends: after too many refusals in a row the gate stops asking, and after three refusals of
//! the same thing it stops asking about that, however the call spells it. Its refusal tells that two texts mean the same
//! place, to a caller that was refused both; nothing else tells what is outside.

mod intent;
mod kept;
mod run;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

pub(crate) use intent::Intent;
pub use kept::KeptRun;
pub(crate) use kept::Unusable;
pub(crate) use run::{Asking, Run};

use crate::RefusalKind;
use crate::batch::Speaker;

/// When asking ends. Numbers of questions, or of batches where the host tells them apart ([`crate::Gate::new_batch`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BreakerSettings {
    /// So many adverse ones in a row.
    pub in_a_row: usize,
    /// So many adverse ones among the last [`BreakerSettings::window`].
    pub among_recent: usize,
    /// How many are looked back at.
    pub window: usize,
    /// So many refusals in a row of the same effects on the same places.
    pub same_intent: usize,
}

impl Default for BreakerSettings {
    /// Three in a row, ten among the last fifty, three of the same.
    fn default() -> Self {
        Self {
            in_a_row: 3,
            among_recent: 10,
            window: 50,
            same_intent: 3,
        }
    }
}

/// Most speakers whose messages under way are remembered.
const SPEAKERS: usize = 256;
/// Different intents that are remembered.
const INTENTS: usize = 512;

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Allowed,
    Adverse,
    /// Withdrawn: it says nothing about what is wanted.
    Neither,
}

impl Ended {
    pub(crate) fn refused(kind: RefusalKind) -> Self {
        match kind {
            RefusalKind::Cancelled | RefusalKind::CircuitOpen => Self::Neither,
            RefusalKind::UnknownTool
            | RefusalKind::BadArguments
            | RefusalKind::Policy
            | RefusalKind::DeniedByHuman
            | RefusalKind::DeniedByReviewer
            | RefusalKind::Timeout
            | RefusalKind::NoApprover
            | RefusalKind::Changed
            | RefusalKind::Fault => Self::Adverse,
        }
    }
}

/// What is remembered of one run.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    is_open: bool,
    in_a_row: usize,
    recent: VecDeque<Ended>,
    intents: BTreeMap<Intent, usize>,
    /// The batch under way, once the host says when one begins.
    batch: Option<Ended>,
    /// Of those whose calls name their message: the message under way, the latest one last.
    messages: Vec<(Speaker, Ended)>,
}

impl Breaker {
    /// Whether nothing is asked any more, at all or about this.
    pub(crate) fn is_open(&self, intent: &Intent, settings: &BreakerSettings) -> bool {
        let refused = self.intents.get(intent).copied().unwrap_or_default();
        self.is_open || refused >= settings.same_intent
    }

    /// A question has ended; `speaker` is of a call that names its message.
    pub(crate) fn note(
        &mut self,
        intent: Intent,
        speaker: Option<&Speaker>,
        ended: Ended,
        settings: &BreakerSettings,
    ) {
        match ended {
            Ended::Neither => return,
            Ended::Allowed => {
                self.intents.remove(&intent);
            }
            Ended::Adverse => {
                if self.intents.len() >= INTENTS {
                    // Those that are on their way to be closed stay.
                    self.intents.retain(|_, refused| *refused > 1);
                    // So many things on that way say enough.
                    self.is_open |= self.intents.len() >= INTENTS;
                }
                if self.intents.len() < INTENTS || self.intents.contains_key(&intent) {
                    *self.intents.entry(intent).or_default() += 1;
                }
            }
        }
        let batch = match speaker {
            None => self.batch.as_mut(),
            Some(speaker) => {
                let mut messages = self.messages.iter_mut();
                messages
                    .find(|(known, _)| known == speaker)
                    .map(|(_, batch)| batch)
            }
        };
        match (batch, ended) {
            // One adverse call makes the batch adverse, and counts at once: a message may be the last one of its session.
            (Some(Ended::Adverse), _) => {}
            (Some(batch), Ended::Adverse) => {
                *batch = ended;
                self.count(ended, settings);
            }
            (Some(batch), _) => *batch = ended,
            (None, _) => self.count(ended, settings),
        }
    }

    /// The calls of the next message begin.
    pub(crate) fn new_batch(&mut self, settings: &BreakerSettings) {
        if let Some(batch) = self.batch.replace(Ended::Neither) {
            self.end(batch, settings);
        }
    }

    /// The calls of the next message of one speaker begin.
    pub(crate) fn new_message(&mut self, speaker: &Speaker, settings: &BreakerSettings) {
        let known = self.messages.iter().position(|(known, _)| known == speaker);
        let ended = match known {
            None if self.messages.len() >= SPEAKERS => Some(self.messages.remove(0)),
            None => None,
            Some(at) => Some(self.messages.remove(at)),
        };
        self.messages.push((speaker.clone(), Ended::Neither));
        if let Some((_, batch)) = ended {
            self.end(batch, settings);
        }
    }

    /// A batch is over; an adverse one has been counted.
    fn end(&mut self, batch: Ended, settings: &BreakerSettings) {
        if batch == Ended::Allowed {
            self.count(batch, settings);
        }
    }

    fn count(&mut self, ended: Ended, settings: &BreakerSettings) {
        match ended {
            Ended::Neither => return,
            Ended::Allowed => self.in_a_row = 0,
            Ended::Adverse => self.in_a_row += 1,
        }
        self.recent.push_back(ended);
        while self.recent.len() > settings.window {
            self.recent.pop_front();
        }
        let adverse = self.recent.iter().filter(|ended| **ended == Ended::Adverse);
        self.is_open |= self.in_a_row >= settings.in_a_row || adverse.count() >= settings.among_recent;
    }
}
