use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use portcullis_audit::{DecidedBy, Subject};
use portcullis_classify::{Assessment, Call, Classifier, Denial, Risk};

use crate::approver::NoRandomness;
use crate::batch::Speaker;
use crate::breaker::{Asking, Intent, Unusable};
use crate::clock::milliseconds;
use crate::grant::GrantKey;
use crate::guard::{Panicked, guarded};
use crate::shared::{Judge, NotRecorded, Shared, Version};
use crate::subject::{unjudged, unread};
use crate::undecided::{Undecided, unrecorded};
use crate::{
    Cancel, Clock, Grant, GrantId, GrantStore, KeptRun, Ledger, Moment, Offers, Pending, Permit, Question,
    QuestionId, Refusal, RefusalKind, Settings,
};

/// One call's way from submission to permit. Cheap to share between threads (`Clone` shares the state).
#[derive(Clone)]
pub struct Gate {
    shared: Arc<Shared>,
}

const UNUSABLE: &str = "what is remembered of this run cannot be used";

/// What a submitted call may do next.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a new step must break the build")]
pub enum Step {
    /// It may run.
    Permitted(Permit),
    /// Someone has to be asked.
    Ask(Pending),
    /// It does not run.
    Refused(Refusal),
}

impl Gate {
    /// A gate over a classifier, a ledger and clocks.
    #[must_use]
    pub fn new(
        classifier: Classifier,
        ledger: impl Ledger + 'static,
        clock: impl Clock + 'static,
        settings: Settings,
    ) -> Self {
        Self::over(Box::new(classifier), Box::new(ledger), Box::new(clock), settings)
    }

    pub(crate) fn over(
        judge: Box<dyn Judge>,
        ledger: Box<dyn Ledger>,
        clock: Box<dyn Clock>,
        settings: Settings,
    ) -> Self {
        Self {
            shared: Arc::new(Shared::new(judge, ledger, clock, settings)),
        }
    }

    /// Judges a call and records the decision durably. Every failure is a refusal; there is no other error.
    #[must_use]
    pub fn submit(&self, call: Call, cancel: &Cancel) -> Step {
        guarded(|| self.step(call, cancel))
            .unwrap_or_else(|Panicked| Step::Refused(Refusal::fault("it panicked while judging the call")))
    }

    /// Refuses an input that is not a call, and records that: what cannot be read is decided, too. `id` is the id
    /// that the input claims, where one can be made out; `kind` is the true kind of the reason, `BadArguments` for what
    /// the input itself lacks; `reason` is one sentence without a full stop.
    #[must_use]
    pub fn reject(&self, id: Option<&str>, kind: RefusalKind, reason: &str) -> Refusal {
        self.refuse_unjudged(
            |version| unread(&self.shared, version, id),
            Refusal::new(kind).with_note(reason),
        )
    }

    /// Refuses a call that was read, without judging it, and records that: a host that cannot let the gate decide says
    /// so in the log, with the true kind of the reason.
    #[must_use]
    pub fn reject_call(&self, call: &Call, kind: RefusalKind, reason: &str) -> Refusal {
        self.refuse_unjudged(
            |version| unjudged(&self.shared, version, call),
            Refusal::new(kind).with_note(reason),
        )
    }

    fn refuse_unjudged(&self, subject: impl FnOnce(&Version) -> Subject, refusal: Refusal) -> Refusal {
        guarded(|| {
            let subject = subject(&self.shared.version());
            Undecided::new(Arc::clone(&self.shared), subject).refuse(refusal)
        })
        .unwrap_or_else(|Panicked| Refusal::fault("it panicked while refusing what it did not judge"))
    }

    /// Judges by another classifier from the next call on, and keeps its questions open as long as `deadline`. A call
    /// that is being judged or asked about stays with the version that it was submitted to, which its record names.
    /// A grant ends with what the policy says about its call: each is held against the rules that ask now, and what they
    /// say; what changes for every call ends all of them.
    pub fn replace(&self, classifier: Classifier, deadline: Duration) {
        self.shared.replace(Version {
            judge: Box::new(classifier),
            deadline,
        });
    }

    /// The moment on the gate's clock: what an answer that comes in now is settled with.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.shared.clock.now()
    }

    /// The grants in force.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        let now = self.shared.now();
        self.shared.grants().list(now)
    }

    /// Lets grants that are asked to survive a restart be kept here, and those that are here count.
    #[must_use]
    pub fn with_grants(self, store: GrantStore) -> Self {
        self.shared.grants().store = Some(store);
        self
    }

    /// Lets the run go on from one process to the next: what was refused in it is kept here, and was.
    #[must_use]
    pub fn in_run(self, run: KeptRun) -> Self {
        self.shared.run().keep(run);
        self
    }

    /// Takes a grant back; false when there is none of that id.
    pub fn revoke(&self, grant: GrantId) -> bool {
        self.shared.grants().revoke(grant)
    }

    /// The calls from here on belong to another message of the model. A host whose calls name their message
    /// ([`Call::message`]) need not say so. A host that says so has its batches counted by
    /// the breaker instead of single questions, each session's by itself, and its calls judged in order against each other:
    /// a call that an earlier one of the same session, by the same agent or in the same message, may still change is asked
    /// about. Calls that have ended count no more, so that a host which runs each before it submits the next is asked
    /// nothing more. What was left to the host is taken to have ended with its message.
    pub fn new_batch(&self) {
        self.shared.batch().begin();
        self.shared.run().new_batch(&self.shared.settings.breaker);
    }

    /// Another run begins, for example because the user said something: what was refused before is forgotten, and
    /// questions are asked again. Grants stay.
    pub fn new_run(&self) {
        let now_ms = self.shared.clock.wall_ms();
        self.shared.run().begin(&self.shared.settings.breaker, now_ms);
    }

    /// Whether too many refusals ended all asking: the host should end the run. Calls that need no question are still
    /// decided.
    #[must_use]
    pub fn is_circuit_open(&self) -> bool {
        let now_ms = self.shared.clock.wall_ms();
        let run = self.shared.run();
        run.is_open_for_all(&self.shared.settings.breaker, now_ms)
    }

    fn step(&self, call: Call, cancel: &Cancel) -> Step {
        if let Some(message) = call.message() {
            let speaker = Speaker::of(&call);
            let is_new = self.shared.batch().follow(&speaker, message, self.now());
            if is_new {
                let settings = &self.shared.settings.breaker;
                self.shared.run().new_message(&speaker, settings);
            }
        }
        let version = self.shared.version();
        let subject = unjudged(&self.shared, &version, &call);
        let mut undecided = Undecided::new(Arc::clone(&self.shared), subject);
        let mut assessment = version.judge.assess(call);
        undecided.claim(&mut assessment);
        undecided.learn(&assessment);
        if cancel.is_raised() {
            return Step::Refused(undecided.refuse(Refusal::new(RefusalKind::Cancelled)));
        }
        // Risk and denial say the same twice; when they do not, the stricter one holds.
        match (assessment.verdict.risk(), &assessment.denial) {
            (_, Some(denial)) => refuse(undecided, denial, &assessment),
            (Risk::Deny, None) => refuse(undecided, &Denial::Policy, &assessment),
            (Risk::Allow, None) => permit(undecided, DecidedBy::Policy, assessment, cancel),
            (Risk::Confirm, None) => self.confirm(undecided, assessment, &version, cancel),
        }
    }

    fn confirm(
        &self,
        mut undecided: Undecided,
        assessment: Assessment,
        version: &Version,
        cancel: &Cancel,
    ) -> Step {
        let settings = &self.shared.settings;
        let grant = GrantKey::of(&assessment, &settings.user, version.judge.as_ref());
        let now = self.now();
        let covering = grant
            .as_ref()
            .and_then(|key| self.shared.grants().covering(key, self.shared.now()));
        if let Some(id) = covering {
            undecided.learn_grant("grant.used", id);
            return permit(undecided, DecidedBy::Grant, assessment, cancel);
        }
        let intent = Intent::of(&assessment);
        let Ok(id) = QuestionId::fresh().map_err(|NoRandomness| ()) else {
            return Step::Refused(undecided.refuse(Refusal::fault("the system gave no random bytes")));
        };
        let asking = {
            let now_ms = self.shared.clock.wall_ms();
            let run = self.shared.run();
            run.ask(&id, &intent, version.deadline, &settings.breaker, now_ms)
        };
        match asking {
            Ok(Asking::Goes) => {}
            Ok(Asking::HasEnded) => {
                let refusal = Refusal::new(RefusalKind::CircuitOpen);
                let refusal = refusal.with_causes(assessment.verdict.causes().to_vec());
                return Step::Refused(undecided.refuse(refusal));
            }
            Err(Unusable) => return Step::Refused(undecided.refuse(Refusal::fault(UNUSABLE))),
        }
        let offers = match &grant {
            Some(key) => {
                let below = version.judge.directories(&assessment);
                key.offers(below, self.shared.grants().store.is_some())
            }
            None => Offers::default(),
        };
        let question = Question::about(&assessment, id.clone(), now.after(version.deadline), offers);
        let speaker = assessment.call.message().map(|_| Speaker::of(&assessment.call));
        match undecided.ask(milliseconds(version.deadline), &id, intent, speaker) {
            Ok(()) => Step::Ask(Pending::new(
                question,
                assessment,
                grant,
                cancel.clone(),
                undecided,
            )),
            Err(NotRecorded) => Step::Refused(undecided.refuse(unrecorded())),
        }
    }
}

fn permit(undecided: Undecided, by: DecidedBy, assessment: Assessment, cancel: &Cancel) -> Step {
    match undecided.permit(by) {
        Ok(open) => Step::Permitted(Permit::new(
            assessment.call,
            assessment.effects,
            cancel.clone(),
            open,
        )),
        Err(refusal) => Step::Refused(refusal),
    }
}

fn refuse(undecided: Undecided, denial: &Denial, assessment: &Assessment) -> Step {
    let kind = match denial {
        Denial::UnknownTool => RefusalKind::UnknownTool,
        Denial::BadArguments => RefusalKind::BadArguments,
        Denial::Policy => RefusalKind::Policy,
    };
    let refusal = Refusal::new(kind).with_causes(assessment.verdict.causes().to_vec());
    Step::Refused(undecided.refuse(refusal))
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate")
            .field("settings", &self.shared.settings)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use portcullis_audit::{Decided, Decision, Error, Event, KeyedDigest, Receipt, RecordHash};
    use portcullis_classify::{Limits, Shape};
    use rstest::rstest;

    use super::*;
    use crate::StillClock;

    struct Panics;

    impl Judge for Panics {
        fn assess(&self, _call: Call) -> Assessment {
            std::panic::resume_unwind(Box::new("the classifier panics"))
        }
        fn policy(&self) -> &str {
            "none"
        }
        fn common(&self) -> &str {
            "none"
        }
        fn says(&self, _layer: portcullis_classify::Layer, _rule: &str) -> String {
            String::new()
        }
        fn directories(&self, _assessment: &Assessment) -> Vec<std::path::PathBuf> {
            Vec::new()
        }
    }

    #[derive(Default)]
    struct Codes {
        codes: Mutex<Vec<&'static str>>,
        digest_panics: bool,
    }

    impl Ledger for Codes {
        fn append(&self, _time_ms: i64, event: &Event) -> Result<Receipt, Error> {
            let Event::Decided(Decided {
                decision: Decision::Refused { code },
                ..
            }) = event
            else {
                panic!("only a refusal is recorded, not {event:?}");
            };
            self.codes.lock().unwrap().push(code);
            Ok(Receipt {
                sequence: 1,
                hash: RecordHash::from_bytes([0; 32]),
            })
        }
        fn digest(&self, _bytes: &[u8]) -> KeyedDigest {
            if self.digest_panics {
                std::panic::resume_unwind(Box::new("the digest panics"));
            }
            KeyedDigest::from_bytes([0; 32])
        }
    }

    /// A gate whose judge panics.
    fn over(ledger: &Arc<Codes>) -> Gate {
        Gate::over(
            Box::new(Panics),
            Box::new(Arc::clone(ledger)),
            Box::new(StillClock::at(Moment(0))),
            Settings::for_user("tester"),
        )
    }

    fn read_call() -> Call {
        let text = br#"{"id": "c1", "tool": "read_file", "args": {"path": "a"}, "cwd": "/work"}"#;
        Call::read(text, Shape::Portcullis, &Limits::default()).unwrap()
    }

    #[rstest]
    #[case::classifier(false, &["fault"])]
    #[case::digest(true, &[])]
    fn a_panic_while_judging_is_a_fault(#[case] digest_panics: bool, #[case] recorded: &[&str]) {
        let ledger = Arc::new(Codes {
            codes: Mutex::default(),
            digest_panics,
        });
        let gate = over(&ledger);
        let call = read_call();
        let Step::Refused(refusal) = gate.submit(call, &Cancel::new()) else {
            panic!("a panic permits nothing");
        };
        assert_eq!(refusal.kind(), RefusalKind::Fault);
        assert_eq!(*ledger.codes.lock().unwrap(), recorded);
    }

    #[test]
    fn what_is_not_a_call_is_refused_on_the_record_and_not_blamed_on_a_tool() {
        let ledger = Arc::new(Codes::default());
        let gate = over(&ledger);
        let bad = RefusalKind::BadArguments;
        let refusal = gate.reject(None, bad, "the input is not a call: it is empty");
        assert_eq!(refusal.kind(), RefusalKind::BadArguments);
        assert_eq!(
            refusal.to_string(),
            "not run: the input is not a call: it is empty"
        );
        assert_eq!(*ledger.codes.lock().unwrap(), ["bad_arguments"]);
    }

    #[test]
    fn what_a_host_refuses_is_recorded_with_the_kind_that_it_names() {
        let ledger = Arc::new(Codes::default());
        let gate = over(&ledger);
        let call = read_call();
        for kind in RefusalKind::ALL {
            let unread = gate.reject(None, kind, "configuration broken at line 3");
            let read = gate.reject_call(&call, kind, "configuration broken at line 3");
            assert_eq!((unread.kind(), read.kind()), (kind, kind));
            assert!(
                read.to_string().ends_with("configuration broken at line 3"),
                "{read}"
            );
        }
        let codes: Vec<_> = RefusalKind::ALL
            .iter()
            .flat_map(|kind| [kind.code(); 2])
            .collect();
        assert_eq!(*ledger.codes.lock().unwrap(), codes);
    }
}
