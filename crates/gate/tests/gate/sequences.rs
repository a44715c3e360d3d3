//! Random histories against a model: every submitted call ends exactly once, and the records say how.

use std::collections::BTreeMap;
use std::time::Duration;

use portcullis_audit::{Decision, Event};
use portcullis_gate::{
    Answer, Cancel, Pending, Permit, QuestionId, RefusalKind, Reply, Running, Scope, Step, effects,
};
use proptest::prelude::*;
use serde_json::json;

use crate::scene::{Scene, word};

#[derive(Debug, Clone)]
enum Move {
    Submit(usize),
    Settle(usize, Said, u64),
    DropPending(usize),
    HandToHost(usize),
    Cancel(usize),
    Redeem(usize, bool),
    Perform(usize),
    DropPermit(usize),
    Done(usize),
    Failed(usize),
    DropRunning(usize),
    Advance(u64),
    FailLedger,
    PanicLedger,
}

#[derive(Debug, Clone)]
enum Said {
    Once,
    Always,
    No,
    OfAnother,
    Silence,
    HungUp,
    Cancelled,
    Garbage,
}

/// Tool and path of each kind of call: allowed, asked about, denied.
const CALLS: [(&str, &str); 5] = [
    ("read_file", "a"),
    ("delete_file", "a"),
    ("delete_file", "b"),
    ("reed_file", "a"),
    ("read_file", "missing"),
];

fn any_move() -> impl Strategy<Value = Move> {
    let said = prop::sample::select(vec![
        Said::Once,
        Said::Once,
        Said::Always,
        Said::No,
        Said::OfAnother,
        Said::Silence,
        Said::HungUp,
        Said::Cancelled,
        Said::Garbage,
    ]);
    let which = 0..8_usize;
    prop_oneof![
        6 => (0..CALLS.len()).prop_map(Move::Submit),
        5 => (which.clone(), said, prop::sample::select(vec![0, 1, 60_000, 60_001])).prop_map(|(at, said, wait)| Move::Settle(at, said, wait)),
        1 => which.clone().prop_map(Move::DropPending),
        1 => which.clone().prop_map(Move::HandToHost),
        1 => which.clone().prop_map(Move::Cancel),
        2 => (which.clone(), any::<bool>()).prop_map(|(at, same)| Move::Redeem(at, same)),
        2 => which.clone().prop_map(Move::Perform),
        1 => which.clone().prop_map(Move::DropPermit),
        1 => which.clone().prop_map(Move::Done),
        1 => which.clone().prop_map(Move::Failed),
        1 => which.prop_map(Move::DropRunning),
        1 => (0..100_000_u64).prop_map(Move::Advance),
        1 => Just(Move::FailLedger),
        1 => Just(Move::PanicLedger),
    ]
}

/// How a call ended, as the one who made it was told.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    Refused(RefusalKind),
    Handed,
    Permitted(&'static str),
}

/// The host's side: what it holds, and what it was told.
#[derive(Default)]
struct Host {
    asked: Vec<(String, Cancel, Pending)>,
    permits: Vec<(String, Permit)>,
    running: Vec<(String, Running)>,
    ends: BTreeMap<String, End>,
    cancels: Vec<Cancel>,
    submitted: usize,
}

impl Host {
    fn play(&mut self, scene: &Scene, step: Move) {
        match step {
            Move::Submit(kind) => self.submit(scene, kind),
            Move::Settle(at, said, wait) => {
                if let Some((id, _, pending)) = take(&mut self.asked, at) {
                    scene.clock.advance(Duration::from_millis(wait));
                    let reply = said.reply(&pending.question().id);
                    match pending.settle(reply, scene.gate.now()) {
                        Ok(permit) => self.permits.push((id, permit)),
                        Err(refusal) => self.end(id, End::Refused(refusal.kind())),
                    }
                }
            }
            Move::DropPending(at) => {
                if let Some((id, _, pending)) = take(&mut self.asked, at) {
                    drop(pending);
                    self.end(id, End::Refused(RefusalKind::Cancelled));
                }
            }
            Move::HandToHost(at) => {
                if let Some((id, _, pending)) = take(&mut self.asked, at) {
                    let end = pending
                        .hand_to_host()
                        .map_or_else(|refusal| End::Refused(refusal.kind()), |()| End::Handed);
                    self.end(id, end);
                }
            }
            Move::Cancel(at) => {
                if let Some(cancel) = self.cancels.get(at) {
                    cancel.raise();
                }
            }
            Move::Redeem(at, same) => {
                if let Some((id, permit)) = take(&mut self.permits, at) {
                    let call = if same {
                        permit.call().clone()
                    } else {
                        scene.call_named("other", "read_file", json!({"path": "a"}))
                    };
                    match permit.redeem(&call) {
                        Ok(running) => {
                            assert!(same);
                            self.running.push((id, running));
                        }
                        Err(refusal) => self.not_started(id, refusal.kind()),
                    }
                }
            }
            Move::Perform(at) => {
                if let Some((id, permit)) = take(&mut self.permits, at) {
                    match effects::perform(permit) {
                        Ok(result) => {
                            let end = if result.is_error { "failed" } else { "done" };
                            self.end(id, End::Permitted(end));
                        }
                        Err(refusal) if refusal.effect_happened() => {
                            self.end(id, End::Permitted("unrecorded"))
                        }
                        Err(refusal) => self.not_started(id, refusal.kind()),
                    }
                }
            }
            Move::DropPermit(at) => {
                if let Some((id, permit)) = take(&mut self.permits, at) {
                    drop(permit);
                    self.end(id, End::Permitted("unused"));
                }
            }
            Move::Done(at) => {
                if let Some((id, running)) = take(&mut self.running, at) {
                    let end = running.done().map_or("unrecorded", |()| "done");
                    self.end(id, End::Permitted(end));
                }
            }
            Move::Failed(at) => {
                if let Some((id, running)) = take(&mut self.running, at) {
                    let end = running.failed("no luck").map_or("unrecorded", |()| "failed");
                    self.end(id, End::Permitted(end));
                }
            }
            Move::DropRunning(at) => {
                if let Some((id, running)) = take(&mut self.running, at) {
                    drop(running);
                    self.end(id, End::Permitted("failed"));
                }
            }
            Move::Advance(by) => scene.clock.advance(Duration::from_millis(by)),
            Move::FailLedger => scene.ledger.fail_next(),
            Move::PanicLedger => scene.ledger.panic_next(),
        }
    }

    fn submit(&mut self, scene: &Scene, kind: usize) {
        self.submitted += 1;
        let id = format!("c{}", self.submitted);
        let (tool, path) = CALLS[kind];
        let cancel = Cancel::new();
        self.cancels.push(cancel.clone());
        match scene
            .gate
            .submit(scene.call_named(&id, tool, json!({"path": path})), &cancel)
        {
            Step::Permitted(permit) => self.permits.push((id, permit)),
            Step::Ask(pending) => self.asked.push((id, cancel, pending)),
            Step::Refused(refusal) => self.end(id, End::Refused(refusal.kind())),
        }
    }

    /// A permit that was not let through: the record says why, the fault only that nobody could be told.
    fn not_started(&mut self, id: String, kind: RefusalKind) {
        let end = match kind {
            RefusalKind::Changed => "changed",
            RefusalKind::Cancelled => "unused",
            RefusalKind::Fault => "unrecorded",
            other => panic!("{other:?} is no reason not to start"),
        };
        self.end(id, End::Permitted(end));
    }

    fn end(&mut self, id: String, end: End) {
        assert_eq!(self.ends.insert(id, end), None, "a call ends once");
    }

    /// Drops whatever is left, as a host that goes away does.
    fn leave(mut self, scene: &Scene) -> BTreeMap<String, End> {
        for _ in 0..self.submitted {
            self.play(scene, Move::DropPending(0));
            self.play(scene, Move::DropPermit(0));
            self.play(scene, Move::DropRunning(0));
        }
        assert_eq!(self.ends.len(), self.submitted);
        self.ends
    }
}

fn take<T>(held: &mut Vec<T>, at: usize) -> Option<T> {
    (!held.is_empty()).then(|| held.remove(at % held.len()))
}

impl Said {
    fn reply(&self, question: &QuestionId) -> Reply {
        let answer = |question: &QuestionId, answer| Reply::Answer {
            question: question.clone(),
            answer,
            reviewer: false,
        };
        match self {
            Self::Once => answer(question, Answer::AllowOnce),
            Self::Always => answer(
                question,
                Answer::AllowAlways(Scope::lasting(Duration::from_secs(1))),
            ),
            Self::No => answer(question, Answer::Deny { reason: None }),
            Self::OfAnother => answer(&QuestionId::claimed("another"), Answer::AllowOnce),
            Self::Silence => Reply::Silence,
            Self::HungUp => Reply::HungUp,
            Self::Cancelled => Reply::Cancelled,
            Self::Garbage => Reply::Unreadable,
        }
    }
}

/// The records of one call: whether it was asked about, its decision, its outcome.
#[derive(Debug, Default, PartialEq, Eq)]
struct History {
    asked: usize,
    decided: Vec<String>,
    finished: Vec<String>,
}

fn histories(events: &[Event]) -> BTreeMap<String, History> {
    let mut histories: BTreeMap<String, History> = BTreeMap::new();
    for event in events {
        let call = match event {
            Event::Asked(asked) => &asked.subject.call,
            Event::Decided(decided) => &decided.subject.call,
            Event::Finished(finished) => {
                let sequence = usize::try_from(finished.decision).unwrap();
                let Event::Decided(decided) = &events[sequence - 1] else {
                    panic!("an outcome names its decision");
                };
                assert_eq!(decided.decision, Decision::Permitted);
                assert_eq!(decided.subject.call, finished.call);
                &finished.call
            }
        };
        let history = histories.entry(call.as_str().to_owned()).or_default();
        match event {
            Event::Asked(_) => {
                assert!(history.decided.is_empty(), "asked after the decision");
                history.asked += 1;
            }
            Event::Decided(_) => history.decided.push(word(event)),
            Event::Finished(_) => history.finished.push(word(event)),
        }
    }
    histories
}

/// A ledger that failed now and then leaves gaps; it never leaves a lie.
fn agrees(history: &History, end: &End, gaps: bool) -> Result<(), TestCaseError> {
    prop_assert!(history.asked <= 1);
    prop_assert!(history.decided.len() <= 1 && history.finished.len() <= 1);
    let permitted = history
        .decided
        .first()
        .is_some_and(|word| word.starts_with("permitted"));
    match end {
        End::Permitted(outcome) => {
            prop_assert!(permitted, "permitted without a record: {:?}", history);
            match history.finished.first() {
                Some(finished) => prop_assert_eq!(finished, outcome),
                None => prop_assert!(gaps, "no outcome of {:?}", history),
            }
        }
        End::Refused(kind) => {
            prop_assert!(
                !permitted && history.finished.is_empty(),
                "{:?} of {:?}",
                kind,
                history
            );
            match history.decided.first() {
                Some(word) => prop_assert!(
                    word.starts_with(&format!("refused {} ", kind.code())),
                    "{} is not {:?}",
                    word,
                    kind
                ),
                None => prop_assert!(gaps, "no decision on {:?}", kind),
            }
        }
        End::Handed => {
            prop_assert_eq!(&history.decided, &["handed to host".to_owned()]);
            prop_assert!(history.finished.is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_submitted_call_ends_exactly_once(moves in prop::collection::vec(any_move(), 1..40)) {
        let scene = Scene::new();
        scene.file("a", "x");
        scene.file("b", "x");
        let gaps = moves.iter().any(|step| matches!(step, Move::FailLedger | Move::PanicLedger));
        let mut host = Host::default();
        for step in moves {
            host.play(&scene, step);
        }
        let ends = host.leave(&scene);
        let histories = histories(&scene.ledger.events());
        for (id, end) in &ends {
            let none = History::default();
            agrees(histories.get(id).unwrap_or(&none), end, gaps)?;
        }
        prop_assert!(histories.keys().all(|id| ends.contains_key(id)));
    }
}
