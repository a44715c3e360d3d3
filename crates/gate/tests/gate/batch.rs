//! Calls of one message are judged in order against each other.

use portcullis_classify::{Call, Limits, Shape};
use portcullis_gate::{Answer, Behaviour, Step, effects};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::Scene;

fn scene() -> Scene {
    let scene = Scene::new();
    scene.file("build/x", "x");
    scene.file("other", "x");
    scene
}

fn write(path: &str) -> (&'static str, Value) {
    ("write_file", json!({"path": path, "content": "y"}))
}

/// Whether a call is asked about because of an earlier one.
fn is_asked_about(scene: &Scene, (tool, args): (&str, Value)) -> bool {
    match scene.submit(scene.call_named("later", tool, args)) {
        Step::Ask(pending) => pending
            .question()
            .causes
            .iter()
            .any(|cause| cause.rule == "batch.earlier"),
        Step::Permitted(_) => false,
        Step::Refused(refusal) => panic!("{refusal}"),
    }
}

#[rstest]
#[case::below(write("build/x"), true)]
#[case::the_same(write("build"), true)]
#[case::read(("read_file", json!({"path": "build/x"})), true)]
#[case::listing_above(("list_dir", json!({"path": "."})), true)]
#[case::beside(write("builder"), false)]
#[case::elsewhere(write("other"), false)]
fn what_an_earlier_call_may_change_is_asked_about(#[case] later: (&str, Value), #[case] asked: bool) {
    let scene = scene();
    scene.gate.new_batch();
    let earlier = scene.permit("delete_file", json!({"path": "build", "recursive": true}));
    assert_eq!(is_asked_about(&scene, later), asked);
    drop(earlier);
}

#[test]
fn a_command_may_change_anything() {
    let scene = scene();
    scene.gate.new_batch();
    let earlier = scene.permit(
        "run_command",
        json!({"command": "rm -r build && ln -s ../outside build"}),
    );
    assert!(is_asked_about(&scene, write("other")));
    drop(earlier);
    assert!(!is_asked_about(&scene, write("other")));
}

#[test]
fn a_call_that_is_still_asked_about_counts_and_a_refused_one_does_not() {
    let scene = scene();
    scene.gate.new_batch();
    let call = scene.call("delete_file", json!({"path": "build", "recursive": true}));
    let Step::Ask(pending) = scene.submit(call) else {
        panic!("a deletion asks");
    };
    assert!(is_asked_about(&scene, write("build/x")));
    drop(pending);
    assert!(!is_asked_about(&scene, write("build/x")));
}

#[test]
fn a_host_that_runs_each_call_before_the_next_is_asked_nothing_more() {
    let scene = scene();
    scene.gate.new_batch();
    for at in 0..3 {
        assert!(!is_asked_about(&scene, write("build/x")), "{at}");
        let (tool, args) = write("build/x");
        effects::perform(scene.permit(tool, args)).unwrap();
    }
}

#[test]
fn what_was_left_to_a_host_counts_until_the_next_message() {
    let scene = scene();
    scene.gate.new_batch();
    let (tool, args) = write("build/x");
    scene.permit(tool, args).hand_to_host().unwrap();
    assert!(is_asked_about(&scene, write("build/x")));
    scene.gate.new_batch();
    assert!(!is_asked_about(&scene, write("build/x")));
}

/// A call that names its message tells them apart by itself, each session its own.
#[test]
fn calls_that_name_their_message_are_told_apart() {
    let scene = scene();
    let call = |session: &str, message: &str, (tool, args): (&str, Value)| {
        let text = json!({
            "id": "c1", "tool": tool, "args": args, "cwd": scene.work(""), "session": session, "message": message,
        });
        let call = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default());
        call.unwrap()
    };
    let asks = |session: &str, message: &str| match scene.submit(call(session, message, write("build/x"))) {
        Step::Ask(pending) => {
            let cause = &pending.question().causes[0];
            assert_eq!(
                (cause.rule.as_str(), cause.text.as_str()),
                (
                    "batch.earlier",
                    "an earlier call, which has not ended yet, may change what this one is about"
                )
            );
            true
        }
        Step::Permitted(_) => false,
        Step::Refused(refusal) => panic!("{refusal}"),
    };
    let command = json!({"command": "rm -r build && ln -s ../outside build"});
    let earlier = call("a", "m1", ("run_command", command));
    let earlier = scene.decide(earlier, Behaviour::Say(Answer::AllowOnce)).unwrap();
    assert!(asks("a", "m1"));
    assert!(!asks("b", "m1"), "another session");
    assert!(asks("a", "m1"), "and the first one is where it was");
    assert!(asks("a", "m2"), "another message, and it still runs");
    drop(earlier);
    assert!(!asks("a", "m1"));
}

fn told(scene: &Scene, session: &str, agent: &str, message: &str, (tool, args): (&str, Value)) -> Call {
    let text = json!({
        "id": "c1", "tool": tool, "args": args, "cwd": scene.work(""),
        "session": session, "agent": agent, "message": message,
    });
    let call = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default());
    call.unwrap()
}

fn is_asked(scene: &Scene, call: Call) -> bool {
    matches!(scene.submit(call), Step::Ask(_))
}

/// What one agent's call may change does not end with another agent's message.
#[rstest]
#[case::agents("a", "b")]
#[case::one_agent("a", "a")]
fn messages_that_are_interleaved_keep_what_still_runs(#[case] one: &str, #[case] other: &str) {
    let scene = scene();
    let call = |agent: &str, message: &str, path: &str| told(&scene, "s", agent, message, write(path));
    let Step::Permitted(running) = scene.submit(call(one, "m1", "build/x")) else {
        panic!("a write in the workspace is permitted");
    };
    assert!(!is_asked(&scene, call(other, "m2", "other")));
    assert!(is_asked(&scene, call(one, "m1", "build/x")));
    drop(running);
    assert!(!is_asked(&scene, call(one, "m1", "build/x")));
}

/// What was left to a host ends with the message of the agent whose it was, and with no other's.
#[test]
fn what_was_left_ends_with_the_message_of_its_own_agent() {
    let scene = scene();
    let call = |agent: &str, message: &str, path: &str| told(&scene, "s", agent, message, write(path));
    let Step::Permitted(left) = scene.submit(call("a", "m1", "build/x")) else {
        panic!("a write in the workspace is permitted");
    };
    left.hand_to_host().unwrap();
    assert!(!is_asked(&scene, call("b", "m2", "other")));
    assert!(is_asked(&scene, call("a", "m1", "build/x")));
    assert!(!is_asked(&scene, call("a", "m3", "build/x")));
}

/// Who is forgotten leaves nothing behind: pushed out by others, or after a day of silence.
#[rstest]
#[case::pushed_out(256, 0, false)]
#[case::not_yet(255, 0, true)]
#[case::silent(1, 25, false)]
#[case::not_so_long(1, 23, true)]
fn what_was_left_does_not_stay_for_ever(#[case] others: usize, #[case] hours: u64, #[case] stays: bool) {
    let scene = scene();
    let Step::Permitted(left) = scene.submit(told(&scene, "s", "a", "m1", write("build/x"))) else {
        panic!("a write in the workspace is permitted");
    };
    left.hand_to_host().unwrap();
    scene.clock.advance(std::time::Duration::from_secs(hours * 3600));
    let list = || ("list_dir", json!({"path": "other-directory"}));
    for at in 0..others {
        drop(scene.submit(told(&scene, &format!("s{at}"), "a", "m", list())));
    }
    // The session's call that names no message forgets nothing itself.
    let text = json!({
        "id": "c2", "tool": "read_file", "args": {"path": "build/x"}, "cwd": scene.work(""), "session": "s", "agent": "a",
    });
    let later = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default());
    assert_eq!(is_asked(&scene, later.unwrap()), stays);
}

#[test]
fn without_messages_calls_are_judged_each_alone() {
    let scene = scene();
    let earlier = scene.permit("delete_file", json!({"path": "build", "recursive": true}));
    assert!(!is_asked_about(&scene, write("build/x")));
    drop(earlier);
}

/// A yes for later, given without an earlier call in the way, says nothing about one with.
#[test]
fn a_grant_does_not_cover_what_an_earlier_call_may_change() {
    let scene = scene();
    scene.gate.new_batch();
    let delete = json!({"path": "build/x"});
    let scope = portcullis_gate::Scope::lasting(std::time::Duration::from_secs(60));
    let call = scene.call("delete_file", delete.clone());
    drop(
        scene
            .decide(call, Behaviour::Say(Answer::AllowAlways(scope)))
            .unwrap(),
    );
    assert!(!is_asked_about(&scene, ("delete_file", delete.clone())));
    let earlier = scene.permit("move_file", json!({"from": "build", "to": "gone"}));
    assert!(is_asked_about(&scene, ("delete_file", delete)));
    drop(earlier);
}
