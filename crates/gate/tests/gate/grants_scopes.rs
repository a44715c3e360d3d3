//! How far a remembered allow reaches: the directories and the session that a person named, as they were offered.

use portcullis_classify::{Call, Limits, Shape};
use portcullis_gate::{Answer, Behaviour, Scope, Step};
use serde_json::json;

use crate::grants::{HOUR, asking_for_writes, covered};
use crate::scene::Scene;

#[test]
fn a_directory_that_a_person_named_is_covered_and_nothing_beside_it() {
    let scene = asking_for_writes();
    let scope = Scope::lasting(HOUR).below(scene.work("dir"));
    let write = |path: &str| json!({"path": path, "content": "y"});
    let call = scene.call("write_file", write("dir/a"));
    drop(
        scene
            .decide(call, Behaviour::Say(Answer::AllowAlways(scope)))
            .unwrap(),
    );
    for path in ["dir/a", "dir/b", "dir/sub/a", "dir/sub/../b"] {
        assert!(covered(&scene, "write_file", write(path)), "{path}");
    }
    std::fs::create_dir_all(scene.work("dirs")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", scene.work("dir/out")).unwrap();
    for path in ["dirs/a", "elsewhere", "dir/out", "dir/../elsewhere"] {
        assert!(!covered(&scene, "write_file", write(path)), "{path}");
    }
    assert!(!covered(&scene, "delete_file", json!({"path": "dir/a"})));
}

/// A person may name the directories that hold the call, up to the workspace, and none above it, beside it, or denied.
#[test]
fn directories_are_offered_up_to_the_workspace() {
    let scene = asking_for_writes();
    let offered =
        |path: &str| match scene.submit(scene.call("write_file", json!({"path": path, "content": ""}))) {
            Step::Ask(pending) => pending.question().offers.below.clone(),
            other => panic!("{other:?}"),
        };
    let work = |below: &str| scene.work(below);
    let root = scene.work("").parent().unwrap().join("work");
    assert_eq!(offered("dir/sub/a"), [work("dir/sub"), work("dir"), root.clone()]);
    assert_eq!(offered("new"), [root]);
    std::fs::write(scene.outside("x"), "x").unwrap();
    let outside = offered("../outside/x");
    assert_eq!(
        outside.first(),
        Some(&scene.outside("").parent().unwrap().join("outside"))
    );
    assert!(
        !outside.iter().any(|one| scene.work("").starts_with(one)),
        "{outside:?}"
    );
    let both = scene.call("move_file", json!({"from": "dir/a", "to": "dir/sub/b"}));
    let Step::Ask(pending) = scene.submit(both) else {
        panic!("it asks");
    };
    assert_eq!(pending.question().offers.below[0], work("dir"));
}

#[test]
fn a_directory_that_does_not_hold_the_call_is_granted_nothing() {
    let scene = asking_for_writes();
    for directory in [
        scene.work("dir/sub"),
        "/".into(),
        "dir".into(),
        scene.work("dir/../dir"),
        scene.outside(""),
    ] {
        let scope = Scope::lasting(HOUR).below(&directory);
        let call = scene.call("delete_file", json!({"path": "dir/a"}));
        let asked = scene.decide(call, Behaviour::Say(Answer::AllowAlways(scope)));
        assert!(asked.is_ok(), "once it is allowed");
        assert!(scene.gate.grants().is_empty(), "{directory:?}");
    }
}

/// Whatever a front end sends: what a question did not offer is a yes to the one call.
#[test]
fn a_scope_that_was_not_offered_is_a_yes_for_once() {
    for wider in [
        |scope: Scope, scene: &Scene| scope.below(scene.work("").parent().unwrap()),
        |scope: Scope, _: &Scene| scope.kept(),
    ] {
        let scene = asking_for_writes();
        let args = || json!({"path": "dir/a"});
        let Step::Ask(pending) = scene.submit(scene.call("delete_file", args())) else {
            panic!("a deletion asks");
        };
        let scope = wider(Scope::lasting(HOUR), &scene);
        assert!(!pending.question().offers.hold(&scope));
        drop(pending);
        let always = Answer::AllowAlways(scope);
        drop(
            scene
                .decide(scene.call("delete_file", args()), Behaviour::Say(always))
                .unwrap(),
        );
        assert!(scene.gate.grants().is_empty());
        assert!(!covered(&scene, "delete_file", args()));
    }
}

#[test]
fn a_grant_for_a_session_ends_with_it() {
    let scene = asking_for_writes();
    let in_session = |session: &str| {
        let text = json!({
            "id": "c1", "tool": "delete_file", "args": {"path": "dir/a"}, "cwd": scene.work(""), "session": session,
        });
        Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default()).unwrap()
    };
    let always = Answer::AllowAlways(Scope::lasting(HOUR).in_this_session());
    drop(scene.decide(in_session("one"), Behaviour::Say(always)).unwrap());
    let is_covered = |call| matches!(scene.submit(call), Step::Permitted(_));
    assert!(is_covered(in_session("one")));
    assert!(!is_covered(in_session("two")));
    assert!(!is_covered(scene.call("delete_file", json!({"path": "dir/a"}))));
}
