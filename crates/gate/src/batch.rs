//! Calls of one message, judged in order: a host may have all of them decided before any of them runs, and then each was
//! judged on a tree that an earlier one changes.

use std::sync::Arc;
use std::time::Duration;

use portcullis_classify::{Assessment, Call, Cause, EffectKind, Layer, Risk, Verdict};

use crate::Moment;
use crate::shared::Shared;
use crate::subject::on_files;

/// The cause of a question about a call that an earlier one may have made another.
const RULE: &str = "batch.earlier";
const WHY: &str = "an earlier call, which has not ended yet, may change what this one is about";

/// Whose messages follow one another: a session, or one agent in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Speaker {
    session: Option<String>,
    agent: Option<String>,
}

impl Speaker {
    pub(crate) fn of(call: &Call) -> Self {
        Self {
            session: call.session().map(str::to_owned),
            agent: call.agent().map(str::to_owned),
        }
    }
}

/// What the calls of the messages under way may change, as long as they have not ended.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The host says itself when a message begins.
    is_told: bool,
    claims: Vec<Made>,
    made: u64,
    /// The message that each speaker is at, the latest speaker last.
    messages: Vec<At>,
}

/// A speaker's message under way.
#[derive(Debug)]
struct At {
    speaker: Speaker,
    message: String,
    /// When its latest call came.
    since: Moment,
}

/// What a call may change.
#[derive(Debug)]
struct Made {
    number: u64,
    speaker: Speaker,
    message: Option<String>,
    /// It runs elsewhere, and nobody tells when it ends.
    is_left: bool,
    changes: Changes,
}

/// Most speakers whose messages are remembered. What is forgotten begins anew.
const MOST: usize = 256;
/// A speaker that is silent for so long has ended, and so have the calls that were left to its host.
const SILENT: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Debug)]
enum Changes {
    Places(Vec<Vec<u8>>),
    /// A program changes whatever it likes.
    Anything,
}

impl Batch {
    /// The calls of the next message begin. What was left to the host is taken to have ended; what still runs counts on.
    pub(crate) fn begin(&mut self) {
        self.is_told = true;
        self.claims.retain(|made| !made.is_left || made.message.is_some());
    }

    /// A call that names its message: whether it is another one than that of the speaker's call before it. The calls of
    /// other speakers stay as they are, and so does what still runs.
    pub(crate) fn follow(&mut self, speaker: &Speaker, message: &str, now: Moment) -> bool {
        let at = self.messages.iter().position(|at| at.speaker == *speaker);
        let before = at.map(|at| self.messages.remove(at));
        let is_same = before.is_some_and(|at| at.message == message);
        if !is_same {
            self.end(speaker);
        }
        // The longest silent one is first.
        while let Some(first) = self.messages.first()
            && (self.messages.len() >= MOST || now.since(first.since) > SILENT)
        {
            let gone = self.messages.remove(0);
            self.end(&gone.speaker);
        }
        self.messages.push(At {
            speaker: speaker.clone(),
            message: message.to_owned(),
            since: now,
        });
        !is_same
    }

    /// A speaker's message has ended, and with it what was left to the host.
    fn end(&mut self, speaker: &Speaker) {
        self.claims
            .retain(|made| !made.is_left || made.message.is_none() || made.speaker != *speaker);
    }

    /// Whether an earlier call of the same session, by the same agent or in the same message, may change what this one is
    /// about.
    fn touches(&self, assessment: &Assessment) -> bool {
        let speaker = Speaker::of(&assessment.call);
        let message = assessment.call.message();
        let mut claims = self.claims.iter().filter(|made| {
            made.speaker.session == speaker.session
                && (made.speaker.agent == speaker.agent || made.message.as_deref() == message)
        });
        claims.any(|Made { changes, .. }| {
            assessment
                .effects
                .iter()
                .any(|effect| match (changes, &effect.place) {
                    (Changes::Places(places), Some(place)) => {
                        places.iter().any(|changed| overlap(changed, place.as_bytes()))
                    }
                    // What a command is about is more than the paths that it names.
                    (Changes::Places(_), None) => !on_files(effect.kind),
                    (Changes::Anything, _) => true,
                })
        })
    }

    fn claim(&mut self, assessment: &Assessment) -> Option<u64> {
        let message = assessment.call.message();
        if !self.is_told && message.is_none() {
            return None;
        }
        let changes = changes(assessment)?;
        self.made += 1;
        self.claims.push(Made {
            number: self.made,
            speaker: Speaker::of(&assessment.call),
            message: message.map(str::to_owned),
            is_left: false,
            changes,
        });
        Some(self.made)
    }
}

fn changes(assessment: &Assessment) -> Option<Changes> {
    let mut places = Vec::new();
    for effect in &assessment.effects {
        match effect.kind {
            EffectKind::Read | EffectKind::List | EffectKind::Search | EffectKind::Connect => {}
            EffectKind::Write | EffectKind::Delete | EffectKind::Move | EffectKind::Link => {
                places.extend(effect.place.as_ref().map(|place| place.as_bytes().to_vec()));
            }
            _ => return Some(Changes::Anything),
        }
    }
    (!places.is_empty()).then_some(Changes::Places(places))
}

/// The same place, or one within the other.
fn overlap(one: &[u8], other: &[u8]) -> bool {
    let within = |inner: &[u8], outer: &[u8]| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || outer.ends_with(b"/"))
    };
    within(one, other) || within(other, one)
}

/// A call's part in its message; dropped when the call has ended.
pub(crate) struct Claim {
    shared: Arc<Shared>,
    number: u64,
    is_left: bool,
}

impl Claim {
    /// Raises the verdict of a call that an earlier one may change, and remembers what this one may change.
    pub(crate) fn make(shared: &Arc<Shared>, assessment: &mut Assessment) -> Option<Self> {
        let mut batch = shared.batch();
        if assessment.denial.is_some() {
            return None;
        }
        if batch.touches(assessment) {
            let earlier = Cause::new(RULE, Layer::BuiltIn, Risk::Confirm, WHY);
            let causes = assessment.verdict.causes().iter().cloned();
            assessment.verdict = Verdict::join(causes.chain([earlier]));
        }
        let number = batch.claim(assessment)?;
        drop(batch);
        Some(Self {
            shared: Arc::clone(shared),
            number,
            is_left: false,
        })
    }

    /// The call is left to a host: nobody tells when it ends.
    pub(crate) fn leave(mut self) {
        self.is_left = true;
        let mut batch = self.shared.batch();
        let made = batch.claims.iter_mut().find(|made| made.number == self.number);
        if let Some(made) = made {
            made.is_left = true;
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.is_left {
            return;
        }
        let number = self.number;
        self.shared.batch().claims.retain(|made| made.number != number);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/w/build", "/w/build", true)]
    #[case("/w/build", "/w/build/x", true)]
    #[case("/w/build/x", "/w/build", true)]
    #[case("/w/build", "/w/builder", false)]
    #[case("/w/a", "/w/b", false)]
    #[case("/", "/w", true)]
    fn places_overlap_by_whole_names(#[case] one: &str, #[case] other: &str, #[case] overlaps: bool) {
        assert_eq!(overlap(one.as_bytes(), other.as_bytes()), overlaps);
    }
}
