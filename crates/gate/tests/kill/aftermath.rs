//! What a killed process may leave.

use std::collections::BTreeMap;
use std::path::Path;

use portcullis_audit::{Reader, reconcile, verify};
use serde_json::json;

use crate::child::{KINDS, ROUNDS, gate_over, log_path, open, perform};

/// Which records a call has.
#[derive(Debug, Default, Clone, Copy)]
struct Trail {
    permitted: bool,
    finished: bool,
}

pub(crate) fn check(scene: &Path, when: &str) {
    let log = log_path(scene);
    if std::fs::symlink_metadata(&log).is_err() {
        assert!(
            (0..ROUNDS).all(|number| untouched(scene, number)),
            "{when}: an effect without a log"
        );
        return;
    }
    let found = verify(&log).unwrap();
    assert_eq!(found.fault, None, "{when}");
    let trails = trails(&log);
    for number in 0..ROUNDS {
        let trail = trails.get(&format!("call{number}")).copied().unwrap_or_default();
        // An effect, even a part of one, has a decision that permits it.
        assert!(
            trail.permitted || untouched(scene, number),
            "{when}: round {number} ran unrecorded"
        );
        // A recorded outcome is true.
        assert!(
            !trail.finished || complete(scene, number),
            "{when}: round {number} is not done"
        );
    }
    let open_decisions = trails
        .values()
        .filter(|trail| trail.permitted && !trail.finished)
        .count();
    assert_eq!(found.open_decisions.len(), open_decisions, "{when}");
    assert!(open_decisions <= 1, "{when}");
    let books = reconcile(&log).unwrap();
    assert_eq!(books.violations, Vec::<String>::new(), "{when}");
    goes_on(scene, when);
}

/// The next process opens the log, repairs its end, and the chain goes on.
fn goes_on(scene: &Path, when: &str) {
    let before = verify(&log_path(scene)).unwrap();
    let gate = gate_over(scene, open(scene));
    perform(
        &gate,
        scene,
        "next",
        "write_file",
        json!({"path": "next", "content": "next"}),
    );
    let after = verify(&log_path(scene)).unwrap();
    assert_eq!(after.fault, None, "{when}");
    assert!(!after.torn, "{when}");
    // Going over to a new file is a record more.
    assert!((3..=4).contains(&(after.good - before.good)), "{when}");
    assert_eq!(after.open_decisions, before.open_decisions, "{when}");
}

fn trails(log: &Path) -> BTreeMap<String, Trail> {
    let mut trails: BTreeMap<String, Trail> = BTreeMap::new();
    for entry in Reader::open(log).unwrap() {
        let value = entry.unwrap().value;
        if value["kind"] == "continued" {
            continue;
        }
        let Some(call) = value["call"].as_str() else {
            panic!("a record without a call: {value}");
        };
        let trail = trails.entry(call.to_owned()).or_default();
        trail.permitted |= value["decision"] == "permitted";
        trail.finished |= !value["outcome"].is_null();
    }
    trails
}

fn content(scene: &Path, name: String) -> Option<String> {
    std::fs::read_to_string(scene.join("work").join(name)).ok()
}

fn leaves(scene: &Path, number: u64) -> usize {
    ["a", "b/c", "b/d"]
        .iter()
        .filter(|branch| content(scene, format!("tree{number}/{branch}/leaf")).is_some())
        .count()
}

/// Nothing of the round's effect is there.
fn untouched(scene: &Path, number: u64) -> bool {
    let old = |name: String| content(scene, name).as_deref() == Some("old");
    match number % KINDS {
        0 => content(scene, format!("written{number}")).is_none(),
        1 => old(format!("file{number}")),
        2 => old(format!("file{number}")) && content(scene, format!("moved{number}")).is_none(),
        3 => leaves(scene, number) == 3,
        _ => old(format!("file{number}")),
    }
}

/// The whole of the round's effect is there.
fn complete(scene: &Path, number: u64) -> bool {
    let is = |name: String, text| content(scene, name).as_deref() == text;
    match number % KINDS {
        0 => is(format!("written{number}"), Some("new")),
        1 => is(format!("file{number}"), None),
        2 => is(format!("file{number}"), None) && is(format!("moved{number}"), Some("old")),
        3 => scene
            .join("work")
            .join(format!("tree{number}"))
            .symlink_metadata()
            .is_err(),
        _ => is(format!("file{number}"), Some("new")),
    }
}
