//! Many threads at one gate.

use std::collections::BTreeMap;
use std::sync::{Arc, Barrier};
use std::thread;

use portcullis_audit::{Event, Log, LogOptions, verify};
use portcullis_gate::{
    Answer, Behaviour, Cancel, Gate, Moment, RefusalKind, Scripted, Settings, StillClock, effects,
};
use serde_json::json;

use crate::scene::{Scene, call, classifier, word};

const THREADS: usize = 8;
const CALLS: usize = 12;

#[test]
fn every_thread_gets_its_own_answer_and_the_log_stays_whole() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let work = base.join("work");
    std::fs::create_dir(&work).unwrap();
    let path = base.join("log.jsonl");
    let options = LogOptions {
        path: path.clone(),
        lock_wait_ms: 60_000,
    };
    let log = Log::open(options).unwrap().log;
    let mut settings = Settings::for_user("tester");
    // Half of all answers are a no, and each is to be heard.
    settings.breaker.in_a_row = usize::MAX;
    settings.breaker.among_recent = usize::MAX;
    let gate = Gate::new(
        classifier(&work, Vec::new()),
        log,
        StillClock::at(Moment(0)),
        settings,
    );
    let start = Arc::new(Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (gate, work, start) = (gate.clone(), work.clone(), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                for number in 0..CALLS {
                    let name = format!("{thread}-{number}");
                    std::fs::write(work.join(&name), "x").unwrap();
                    let says_yes = number % 2 == 0;
                    let answer = if says_yes {
                        Answer::AllowOnce
                    } else {
                        Answer::Deny { reason: None }
                    };
                    let call = call(&work, &name, "delete_file", json!({"path": name}));
                    let mut person = Scripted::new([Behaviour::Say(answer)]);
                    let permit = gate.decide(call, &mut person, &Cancel::new());
                    assert_eq!(permit.is_ok(), says_yes);
                    if let Ok(permit) = permit {
                        assert!(!effects::perform(permit).unwrap().is_error);
                    }
                    assert_eq!(work.join(&name).symlink_metadata().is_err(), says_yes);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let found = verify(&path).unwrap();
    assert_eq!(found.fault, None);
    // An allowed call has three records, a refused one two.
    assert_eq!(found.good, u64::try_from(THREADS * CALLS / 2 * 5).unwrap());
    assert!(found.open_decisions.is_empty(), "{found:?}");
}

#[test]
fn a_cancellation_that_races_with_the_start_wins_or_loses_whole() {
    let scene = Scene::new();
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..200 {
        let name = format!("file{round}");
        scene.file(&name, "x");
        let cancel = Cancel::new();
        let call = scene.call_named(&name, "delete_file", json!({"path": name}));
        let mut person = Scripted::new([Behaviour::Say(Answer::AllowOnce)]);
        let permit = scene.gate.decide(call, &mut person, &cancel).unwrap();
        let start = Arc::new(Barrier::new(2));
        let raising = {
            let start = Arc::clone(&start);
            thread::spawn(move || {
                start.wait();
                cancel.raise();
            })
        };
        start.wait();
        let ran = match effects::perform(permit) {
            Ok(result) => !result.is_error,
            Err(refusal) => {
                assert_eq!(refusal.kind(), RefusalKind::Cancelled);
                false
            }
        };
        raising.join().unwrap();
        assert_eq!(scene.is_there(&name), !ran);
        let Some(last @ Event::Finished(_)) = scene.ledger.events().pop() else {
            panic!("every permit ends in a record");
        };
        assert_eq!(word(&last), if ran { "done" } else { "unused" });
        *ends.entry(word(&last)).or_default() += 1;
    }
    assert_eq!(ends.values().sum::<usize>(), 200);
}
