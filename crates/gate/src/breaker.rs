//! When nobody wants it, asking ends: after too many refusals in a row the gate stops asking, and after three refusals of
//! the same thing it stops asking about that, however the call spells it. Its refusal tells that two texts mean the same
//! place, to a caller that was refused both; nothing else tells what is outside.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use portcullis_classify::{Assessment, EffectKind, Risk};

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
const INTENTS: usize = 4096;

/// What a call wants: the effects that ask and where they really are, whatever tool and spelling lead there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Intent(BTreeSet<(EffectKind, Vec<u8>)>);

impl Intent {
    pub(crate) fn of(assessment: &Assessment) -> Self {
        let asking = assessment
            .effects
            .iter()
            .filter(|effect| effect.risk >= Risk::Confirm);
        let parts = asking.map(|effect| {
            let place = effect.place.as_ref().map(|place| place.as_bytes().to_vec());
            (
                effect.kind,
                place.unwrap_or_else(|| effect.operand.as_bytes().to_vec()),
            )
        });
        let mut parts: BTreeSet<_> = parts.collect();
        if parts.is_empty() {
            // A rule about the tool alone asks.
            parts.insert((EffectKind::Opaque, assessment.call.tool().as_bytes().to_vec()));
        }
        Self(parts)
    }
}

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

    pub(crate) fn is_open_for_all(&self) -> bool {
        self.is_open
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
                }
                *self.intents.entry(intent).or_default() += 1;
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

#[cfg(test)]
mod tests {
    use portcullis_classify::{Call, Limits, Shape};
    use proptest::prelude::*;

    use super::*;

    const SETTINGS: BreakerSettings = BreakerSettings {
        in_a_row: 3,
        among_recent: 10,
        window: 50,
        same_intent: 3,
    };

    fn intent(name: &str) -> Intent {
        Intent(BTreeSet::from([(EffectKind::Delete, name.as_bytes().to_vec())]))
    }

    /// Each about something else, so that only the run counts.
    fn after(all: &[Ended]) -> Breaker {
        let mut breaker = Breaker::default();
        for (at, ended) in all.iter().enumerate() {
            breaker.note(intent(&at.to_string()), None, *ended, &SETTINGS);
        }
        breaker
    }

    use Ended::{Adverse, Allowed, Neither};

    #[test]
    fn three_in_a_row_end_the_asking() {
        assert!(!after(&[Adverse, Adverse]).is_open);
        assert!(after(&[Adverse, Adverse, Adverse]).is_open);
        assert!(!after(&[Adverse, Adverse, Allowed, Adverse, Adverse]).is_open);
        assert!(after(&[Adverse, Neither, Adverse, Neither, Adverse]).is_open);
    }

    #[test]
    fn ten_among_fifty_end_the_asking() {
        let two_and_one = [Adverse, Adverse, Allowed];
        let some = |times: usize| two_and_one.repeat(times);
        assert!(!after(&some(4)).is_open);
        assert!(after(&some(5)).is_open);
        // Old ones are forgotten.
        let mut old = some(4);
        old.extend([Allowed; 50]);
        old.extend(some(4));
        assert!(!after(&old).is_open);
    }

    #[test]
    fn the_same_thing_three_times_is_not_asked_about_again() {
        let mut breaker = Breaker::default();
        for _ in 0..2 {
            breaker.note(intent("a"), None, Adverse, &SETTINGS);
            breaker.note(intent("b"), None, Allowed, &SETTINGS);
        }
        assert!(!breaker.is_open(&intent("a"), &SETTINGS));
        breaker.note(intent("a"), None, Adverse, &SETTINGS);
        assert!(breaker.is_open(&intent("a"), &SETTINGS));
        assert!(!breaker.is_open(&intent("b"), &SETTINGS));
    }

    #[test]
    fn an_allow_in_between_begins_anew() {
        let mut breaker = Breaker::default();
        for ended in [Adverse, Adverse, Allowed, Adverse, Adverse] {
            breaker.note(intent("a"), None, ended, &SETTINGS);
        }
        assert!(!breaker.is_open(&intent("a"), &SETTINGS));
    }

    #[test]
    fn calls_of_one_message_count_once() {
        let mut breaker = Breaker::default();
        for message in 0..2 {
            breaker.new_batch(&SETTINGS);
            for call in 0..5 {
                breaker.note(intent(&format!("{message}/{call}")), None, Adverse, &SETTINGS);
            }
        }
        breaker.new_batch(&SETTINGS);
        assert!(!breaker.is_open);
        // One adverse call makes its batch adverse, whatever came before or after it.
        for ended in [Allowed, Adverse, Allowed] {
            breaker.note(intent("z"), None, ended, &SETTINGS);
        }
        breaker.new_batch(&SETTINGS);
        assert!(breaker.is_open);
    }

    /// One session's message says nothing about calls of others.
    #[test]
    fn each_speaker_has_its_own_batch() {
        let speaker = |session: &str| {
            let text = serde_json::json!({
                "id": "c", "tool": "t", "args": {}, "cwd": "/w", "session": session, "message": "m",
            });
            let text = text.to_string();
            let call = Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default());
            Speaker::of(&call.unwrap())
        };
        let (a, b) = (speaker("a"), speaker("b"));
        let mut breaker = Breaker::default();
        breaker.new_message(&a, &SETTINGS);
        for at in 0..5 {
            breaker.note(intent(&at.to_string()), Some(&a), Adverse, &SETTINGS);
        }
        assert_eq!(breaker.in_a_row, 1);
        breaker.new_message(&b, &SETTINGS);
        breaker.note(intent("b"), Some(&b), Adverse, &SETTINGS);
        breaker.note(intent("a"), Some(&a), Adverse, &SETTINGS);
        assert_eq!(breaker.in_a_row, 2);
        // A call that names no message is in none.
        breaker.note(intent("c"), None, Adverse, &SETTINGS);
        assert!(breaker.is_open);
    }

    #[test]
    fn an_empty_batch_says_nothing() {
        let mut breaker = Breaker::default();
        for _ in 0..60 {
            breaker.new_batch(&SETTINGS);
        }
        assert!(breaker.recent.is_empty());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut breaker = Breaker::default();
        for at in 0..3 * INTENTS {
            breaker.note(intent(&at.to_string()), None, Adverse, &SETTINGS);
        }
        assert!(breaker.intents.len() <= INTENTS);
        assert!(breaker.recent.len() <= SETTINGS.window);
    }

    proptest! {
        /// Against the rule as it is told: the longest row, and the fullest window.
        #[test]
        fn opens_when_the_rule_says(all in prop::collection::vec(
            prop::sample::select(vec![Adverse, Allowed, Allowed, Neither]), 0..120)
        ) {
            let told: Vec<Ended> = all.iter().copied().filter(|ended| *ended != Neither).collect();
            let row = told.split(|ended| *ended == Allowed).map(<[_]>::len).max().unwrap_or_default();
            let fullest = told
                .windows(told.len().clamp(1, 50))
                .map(|window| window.iter().filter(|ended| **ended == Adverse).count())
                .max()
                .unwrap_or_default();
            prop_assert_eq!(after(&all).is_open, row >= 3 || fullest >= 10);
        }
    }
}
