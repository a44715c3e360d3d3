//! Calls of one message, judged in order: a host may have all of them decided before any of them runs, and then each was
//! judged on a tree that an earlier one changes.

use std::sync::Arc;

use portcullis_classify::{Assessment, Cause, EffectKind, Layer, Risk, Verdict};

use crate::shared::Shared;
use crate::subject::on_files;

/// The cause of a question about a call that an earlier one may have made another.
const RULE: &str = "batch.earlier";
const WHY: &str =
    "an earlier call of the same message, which has not ended yet, may change what this one is about";

/// What the calls of the message under way may change, as long as they have not ended.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The host tells messages apart.
    is_told: bool,
    claims: Vec<Made>,
    made: u64,
    /// The message that each session is at, the latest session last.
    messages: Vec<(Option<String>, String)>,
}

/// What a call may change.
#[derive(Debug)]
struct Made {
    number: u64,
    session: Option<String>,
    changes: Changes,
}

/// Most sessions whose messages are remembered. What is forgotten begins anew.
const MOST: usize = 256;

#[derive(Debug)]
enum Changes {
    Places(Vec<Vec<u8>>),
    /// A program changes whatever it likes.
    Anything,
}

impl Batch {
    /// The calls of the next message begin. What was left to the host is taken to have ended.
    pub(crate) fn begin(&mut self) {
        self.is_told = true;
        self.claims.clear();
    }

    /// A call that names its message: whether it is another one than that of the session's call before it. The calls of
    /// other sessions stay as they are.
    pub(crate) fn follow(&mut self, session: Option<&str>, message: &str) -> bool {
        self.is_told = true;
        let at = self
            .messages
            .iter()
            .position(|(known, _)| known.as_deref() == session);
        let before = at.map(|at| self.messages.remove(at));
        let is_same = before.is_some_and(|(_, known)| known == message);
        if self.messages.len() >= MOST {
            self.messages.remove(0);
        }
        self.messages
            .push((session.map(str::to_owned), message.to_owned()));
        if !is_same {
            self.claims.retain(|made| made.session.as_deref() != session);
        }
        !is_same
    }

    /// Whether an earlier call may change what this one is about.
    fn touches(&self, assessment: &Assessment) -> bool {
        let session = assessment.call.session();
        let mut claims = self
            .claims
            .iter()
            .filter(|made| made.session.as_deref() == session);
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
        let changes = changes(assessment)?;
        self.made += 1;
        self.claims.push(Made {
            number: self.made,
            session: assessment.call.session().map(str::to_owned),
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
        if !batch.is_told || assessment.denial.is_some() {
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
