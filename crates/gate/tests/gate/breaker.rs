//! Asking ends when nobody wants it, and what needs no question goes on.

use portcullis_classify::{Call, Limits, Shape};
use portcullis_gate::{Answer, Behaviour, RefusalKind, Scope, Step};
use rstest::rstest;
use serde_json::json;

use crate::scene::Scene;

const NO: Behaviour = Behaviour::Say(Answer::Deny { reason: None });
const YES: Behaviour = Behaviour::Say(Answer::AllowOnce);

/// How the question about deleting this ended.
fn delete(scene: &Scene, path: &str, behaviour: Behaviour) -> Option<RefusalKind> {
    let call = scene.call("delete_file", json!({"path": path}));
    let decided = scene.decide(call, behaviour);
    decided.map(drop).err().map(|refusal| refusal.kind())
}

fn scene() -> Scene {
    let scene = Scene::new();
    for name in ["a", "b", "c", "d", "e"] {
        scene.file(name, "x");
    }
    scene
}

fn questions(scene: &Scene) -> usize {
    scene.words().iter().filter(|word| *word == "asked").count()
}

#[rstest]
#[case::denied(NO, RefusalKind::DeniedByHuman)]
#[case::silence(Behaviour::Silence, RefusalKind::Timeout)]
fn after_three_refusals_in_a_row_nothing_is_asked(#[case] behaviour: Behaviour, #[case] kind: RefusalKind) {
    let scene = scene();
    for name in ["a", "b", "c"] {
        assert!(!scene.gate.is_circuit_open());
        assert_eq!(delete(&scene, name, behaviour.clone()), Some(kind));
    }
    assert!(scene.gate.is_circuit_open());
    assert_eq!(delete(&scene, "d", YES), Some(RefusalKind::CircuitOpen));
    assert_eq!(questions(&scene), 3);
    assert_eq!(scene.words().last().unwrap(), "refused circuit_open by Nobody");
    // What needs no question is decided as before.
    let read = scene.submit(scene.call("read_file", json!({"path": "a"})));
    assert!(matches!(read, Step::Permitted(_)), "{read:?}");
    scene.gate.new_run();
    assert_eq!(delete(&scene, "d", YES), None);
}

#[test]
fn an_allow_begins_the_row_anew() {
    let scene = scene();
    for name in ["a", "b"] {
        delete(&scene, name, NO);
    }
    assert_eq!(delete(&scene, "c", YES), None);
    for name in ["d", "e"] {
        delete(&scene, name, NO);
    }
    assert!(!scene.gate.is_circuit_open());
}

#[test]
fn a_withdrawn_question_says_nothing() {
    let scene = scene();
    for name in ["a", "b", "c", "d"] {
        let step = scene.submit(scene.call("delete_file", json!({"path": name})));
        assert!(matches!(step, Step::Ask(_)), "{step:?}");
    }
    assert!(!scene.gate.is_circuit_open());
}

#[test]
fn the_same_thing_by_any_spelling_and_any_tool_is_asked_about_three_times() {
    let scene = scene();
    std::os::unix::fs::symlink(".", scene.work("again")).unwrap();
    let spellings = ["a".to_owned(), "./a".to_owned(), "again/a".to_owned()];
    for (at, path) in spellings.iter().enumerate() {
        assert_eq!(
            delete(&scene, path, NO),
            Some(RefusalKind::DeniedByHuman),
            "{path}"
        );
        // Others are allowed in between, so that the run as a whole goes on.
        assert_eq!(delete(&scene, ["b", "c", "d"][at], YES), None);
    }
    let whole = scene.work("a").display().to_string();
    assert_eq!(delete(&scene, &whole, YES), Some(RefusalKind::CircuitOpen));
    assert!(!scene.gate.is_circuit_open());
    assert_eq!(delete(&scene, "e", YES), None);
}

#[test]
fn calls_of_one_message_count_as_one() {
    let scene = scene();
    for _ in 0..2 {
        scene.gate.new_batch();
        for name in ["a", "b"] {
            delete(&scene, name, NO);
        }
    }
    scene.gate.new_batch();
    assert!(!scene.gate.is_circuit_open());
    delete(&scene, "c", NO);
    scene.gate.new_batch();
    assert!(scene.gate.is_circuit_open());
}

/// Calls that name no message count each, though another session's call named one.
#[test]
fn a_message_of_one_session_keeps_no_other_from_being_counted() {
    let scene = scene();
    let text = json!({
        "id": "c1", "tool": "read_file", "args": {"path": "a"}, "cwd": scene.work(""), "session": "s", "message": "m",
    });
    let call = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default());
    drop(scene.submit(call.unwrap()));
    for name in ["a", "b", "c"] {
        assert_eq!(delete(&scene, name, NO), Some(RefusalKind::DeniedByHuman));
    }
    assert!(scene.gate.is_circuit_open());
}

#[test]
fn a_grant_holds_while_the_circuit_is_open() {
    let scene = scene();
    let always = Behaviour::Say(Answer::AllowAlways(Scope::lasting(
        std::time::Duration::from_secs(3600),
    )));
    assert_eq!(delete(&scene, "a", always), None);
    for name in ["b", "c", "d"] {
        delete(&scene, name, NO);
    }
    assert!(scene.gate.is_circuit_open());
    assert_eq!(delete(&scene, "a", NO), None, "it is not asked about");
}
