use std::fmt;
use std::sync::Arc;

use portcullis_audit::{Outcome, Redacted};
use portcullis_classify::{Call, Digest, Effect};
use portcullis_paths::{Error, ErrorKind};

use crate::decision::OpenDecision;
use crate::shared::{NotRecorded, Shared};
use crate::{Cancel, Refusal, RefusalKind};

/// The only thing an effect accepts. Made by the gate alone, not `Clone`, used up by value, bound to the digest
/// of the exact call and to the held targets. Dropped unused, it is recorded as unused.
#[must_use = "a dropped permit is recorded as unused"]
pub struct Permit {
    call: Call,
    digest: Digest,
    effects: Vec<Effect>,
    cancel: Cancel,
    open: OpenDecision,
}

impl Permit {
    /// INVARIANT: the only constructor. An `OpenDecision` exists only after a durable record that permits.
    pub(crate) fn new(call: Call, effects: Vec<Effect>, cancel: Cancel, open: OpenDecision) -> Self {
        Self {
            digest: call.digest(),
            call,
            effects,
            cancel,
            open,
        }
    }

    /// The call that may run.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Its effects, with held targets.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        self.open.shared()
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Starts the effect: checks that `call` is what was approved, that the targets are still what was judged,
    /// and that the run was not cancelled.
    ///
    /// # Errors
    /// `Changed`, `Cancelled`; `Fault` when a target cannot be checked or the end of the permit cannot be
    /// recorded. Nothing was started.
    pub fn redeem(self, call: &Call) -> Result<Running, Refusal> {
        if self.cancel.is_raised() {
            let refusal = Refusal::new(RefusalKind::Cancelled);
            return Err(self.open.close_without_effect(Outcome::Unused, refusal));
        }
        // The bytes as well: a digest is for records, the bytes are the thing itself.
        if call.digest() != self.digest || call.canonical() != self.call.canonical() {
            let refusal =
                Refusal::new(RefusalKind::Changed).with_note("the arguments are not the approved ones");
            return Err(self.open.close_without_effect(Outcome::Changed, refusal));
        }
        let targets = self.effects.iter().filter_map(|effect| effect.target.as_ref());
        for target in targets {
            if let Err(error) = target.verify() {
                let (outcome, refusal) = unverified(&error);
                return Err(self.open.close_without_effect(outcome, refusal));
            }
        }
        let mut open = self.open;
        open.start();
        Ok(Running {
            effects: self.effects,
            open,
        })
    }

    /// Leaves the call to the host that asked. What comes of it is not ours to know: the decision stays open in
    /// the log.
    ///
    /// # Errors
    /// `Cancelled`; the host must then not run the call.
    pub fn hand_to_host(self) -> Result<(), Refusal> {
        if self.cancel.is_raised() {
            let refusal = Refusal::new(RefusalKind::Cancelled);
            return Err(self.open.close_without_effect(Outcome::Unused, refusal));
        }
        self.open.leave_open();
        Ok(())
    }
}

/// A target that is not what was judged, and a target that cannot be looked at, are two reasons.
fn unverified(error: &Error) -> (Outcome, Refusal) {
    match error.kind() {
        ErrorKind::Io | ErrorKind::Budget | ErrorKind::Unsupported | ErrorKind::Zones => {
            (Outcome::Unused, Refusal::fault("a target cannot be checked"))
        }
        _ => {
            let refusal = Refusal::new(RefusalKind::Changed).with_note(&error.to_string());
            (Outcome::Changed, refusal)
        }
    }
}

/// A permitted effect under way. It must be finished; dropped, it is recorded as failed.
#[must_use = "a dropped effect is recorded as failed"]
pub struct Running {
    effects: Vec<Effect>,
    open: OpenDecision,
}

impl Running {
    /// The targets, by effect.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Hands out the effects with their held targets, so that the verbs which use up a target can be called.
    /// The second time there are none left.
    #[must_use]
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Records that it was done.
    ///
    /// # Errors
    /// `Fault` when the outcome could not be recorded; the effect has happened all the same.
    pub fn done(self) -> Result<(), Refusal> {
        self.close(Outcome::Done)
    }

    /// Records that it failed, with one sentence.
    ///
    /// # Errors
    /// `Fault` when the outcome could not be recorded.
    pub fn failed(self, reason: &str) -> Result<(), Refusal> {
        self.close(Outcome::Failed {
            reason: Redacted::text(reason),
        })
    }

    /// Records that it was not done because a target changed after the check, and says so.
    pub(crate) fn changed(self, what: &str) -> Refusal {
        let refusal = Refusal::new(RefusalKind::Changed).with_note(what);
        self.open.close_without_effect(Outcome::Changed, refusal)
    }

    fn close(self, outcome: Outcome) -> Result<(), Refusal> {
        self.open
            .close(outcome)
            .map_err(|NotRecorded| Refusal::outcome_not_recorded())
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use portcullis_audit::{Error as LogError, Event, KeyedDigest, Receipt, RecordHash};
    use portcullis_classify::{Classifier, Limits, Policy, Shape, Toolbox};
    use portcullis_paths::Ambient;
    use rstest::rstest;

    use super::*;
    use crate::{Gate, Ledger, Moment, Settings, Step, StillClock};

    struct Forgets;

    impl Ledger for Forgets {
        fn append(&self, _time_ms: i64, _event: &Event) -> Result<Receipt, LogError> {
            Ok(Receipt {
                sequence: 1,
                hash: RecordHash::from_bytes([0; 32]),
            })
        }
        fn digest(&self, _bytes: &[u8]) -> KeyedDigest {
            KeyedDigest::from_bytes([0; 32])
        }
    }

    fn list_call(directory: &std::path::Path, path: &str) -> Call {
        let call =
            serde_json::json!({"id": "c1", "tool": "list_dir", "args": {"path": path}, "cwd": directory});
        Call::read(call.to_string().as_bytes(), Shape::Portcullis, &Limits::default()).unwrap()
    }

    /// The digest and the bytes are held against the call each by itself: neither stands in for the other.
    #[rstest]
    #[case::the_same(false, "a", true)]
    #[case::another_digest(true, "a", false)]
    #[case::other_bytes_of_the_same_digest(true, "b", false)]
    #[case::another_call(false, "b", false)]
    fn a_permit_is_bound_by_digest_and_by_bytes(
        #[case] has_digest_of_b: bool,
        #[case] path: &str,
        #[case] starts: bool,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let policy = Policy::join(Vec::new()).unwrap();
        let classifier =
            Classifier::open(Toolbox::files(), policy, [root.clone()], Ambient::empty()).unwrap();
        let clock = StillClock::at(Moment(0));
        let gate = Gate::new(classifier, Forgets, clock, Settings::for_user("tester"));
        for name in ["a", "b"] {
            rustix::fs::mkdir(root.join(name), rustix::fs::Mode::RWXU).unwrap();
        }
        let call = list_call(&root, "a");
        let Step::Permitted(mut permit) = gate.submit(call, &Cancel::new()) else {
            panic!("listing in the workspace is permitted");
        };
        if has_digest_of_b {
            permit.digest = list_call(&root, "b").digest();
        }
        let started = permit.redeem(&list_call(&root, path));
        match started {
            Ok(running) => {
                assert!(starts);
                running.done().unwrap();
            }
            Err(refusal) => {
                assert!(!starts, "{refusal}");
                assert_eq!(refusal.kind(), RefusalKind::Changed);
            }
        }
    }
}
