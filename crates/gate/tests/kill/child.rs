//! The one that is killed: it submits, permits and performs in rounds, and says at every point where it is.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis_audit::{Error, Event, KeyedDigest, Log, LogOptions, Receipt};
use portcullis_classify::{Call, Classifier, Layer, LayerRules, Limits, Policy, Preset, Shape, Toolbox};
use portcullis_gate::{
    Answer, Behaviour, Cancel, Gate, Ledger, Moment, Scripted, Settings, StillClock, effects,
};
use portcullis_paths::Ambient;
use serde_json::{Value, json};

/// Rounds of one life.
pub(crate) const ROUNDS: u64 = 24;
/// Different effects: a round's effect is its number modulo this.
pub(crate) const KINDS: u64 = 5;

pub(crate) const SCENE: &str = "PORTCULLIS_GATE_KILL_SCENE";
pub(crate) const WAITS: &str = "PORTCULLIS_GATE_KILL_WAITS";

pub(crate) fn log_path(scene: &Path) -> PathBuf {
    scene.join("log.jsonl")
}

/// The work of one round: tool and arguments.
pub(crate) fn round(number: u64) -> (&'static str, Value) {
    match number % KINDS {
        0 => (
            "write_file",
            json!({"path": format!("written{number}"), "content": "new"}),
        ),
        1 => ("delete_file", json!({"path": format!("file{number}")})),
        2 => (
            "move_file",
            json!({"from": format!("file{number}"), "to": format!("moved{number}")}),
        ),
        3 => (
            "delete_file",
            json!({"path": format!("tree{number}"), "recursive": true}),
        ),
        _ => (
            "edit_file",
            json!({"path": format!("file{number}"), "old_text": "old", "new_text": "new"}),
        ),
    }
}

/// Runs only in a process that a parent of this test started; for the harness it is an empty test.
#[test]
fn child() {
    let Some(scene) = std::env::var_os(SCENE).map(PathBuf::from) else {
        return;
    };
    let points = Points {
        waits: std::env::var_os(WAITS).is_some(),
    };
    let gate = gate(&scene, points);
    for number in 0..ROUNDS {
        let (tool, args) = round(number);
        perform(&gate, &scene, &format!("call{number}"), tool, args);
        points.reached(&format!("end {number}"));
    }
}

fn gate(scene: &Path, points: Points) -> Gate {
    let log = Arc::new(open(scene));
    gate_over(scene, Announced { log, points })
}

pub(crate) fn open(scene: &Path) -> Log {
    let options = LogOptions {
        path: log_path(scene),
        lock_wait_ms: 10_000,
    };
    // So small that some kills fall into the middle of going over to a new file.
    Log::open(options).unwrap().log.rotating_at(6_000)
}

pub(crate) fn gate_over(scene: &Path, ledger: impl Ledger + 'static) -> Gate {
    let mut layer = LayerRules::empty(Layer::User);
    layer.preset = Some(Preset::Careful);
    let policy = Policy::join(vec![layer]).unwrap();
    let roots = [scene.join("work")];
    let classifier = Classifier::open(Toolbox::files(), policy, roots, Ambient::empty()).unwrap();
    Gate::new(
        classifier,
        ledger,
        StillClock::at(Moment(0)),
        Settings::for_user("tester"),
    )
}

pub(crate) fn perform(gate: &Gate, scene: &Path, id: &str, tool: &str, args: Value) {
    let text = json!({"id": id, "tool": tool, "args": args, "cwd": scene.join("work").to_str().unwrap()});
    let call = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default()).unwrap();
    let mut person = Scripted::new([Behaviour::Say(Answer::AllowOnce)]);
    let permit = gate.decide(call, &mut person, &Cancel::new()).unwrap();
    let result = effects::perform(permit).unwrap();
    assert!(!result.is_error, "{}", result.text);
}

/// Says where the child is, and waits there for a byte when the parent wants that.
#[derive(Clone, Copy)]
struct Points {
    waits: bool,
}

impl Points {
    fn reached(self, point: &str) {
        // Standard error: the harness writes on standard output.
        let mut out = std::io::stderr().lock();
        writeln!(out, "point {point}").unwrap();
        out.flush().unwrap();
        if self.waits {
            std::io::stdin().read_exact(&mut [0]).unwrap();
        }
    }
}

/// A log that says when it appends.
struct Announced {
    log: Arc<Log>,
    points: Points,
}

impl Ledger for Announced {
    fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        let word = match event {
            Event::Asked(_) => "asked",
            Event::Decided(_) => "decided",
            Event::Finished(_) => "finished",
        };
        self.points.reached(&format!("before {word}"));
        let receipt = self.log.append(time_ms, event);
        self.points.reached(&format!("after {word}"));
        receipt
    }
    fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        self.log.digest(bytes)
    }
}
