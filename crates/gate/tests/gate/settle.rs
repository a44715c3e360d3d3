//! The state machine by hand: what an answer is, when it counts, and what becomes of a permit.

use std::time::Duration;

use portcullis_gate::{Answer, Cancel, Moment, Pending, QuestionId, RefusalKind, Reply, Step};
use rstest::rstest;
use serde_json::json;

use crate::scene::Scene;

fn asked(scene: &Scene, id: &str) -> Pending {
    scene.file(id, "x");
    match scene.submit(scene.call_named(id, "delete_file", json!({"path": id}))) {
        Step::Ask(pending) => pending,
        step => panic!("{step:?} is not a question"),
    }
}

fn yes(question: &QuestionId) -> Reply {
    Reply::Answer {
        question: question.clone(),
        answer: Answer::AllowOnce,
        reviewer: false,
    }
}

#[rstest]
#[case::at_once(0, true)]
#[case::at_the_deadline(60_000, true)]
#[case::past_it(60_001, false)]
#[case::long_past_it(u64::MAX, false)]
fn an_answer_counts_up_to_its_deadline(#[case] wait_ms: u64, #[case] counts: bool) {
    let scene = Scene::new();
    let pending = asked(&scene, "a");
    let reply = yes(&pending.question().id);
    let now = scene.gate.now().after(Duration::from_millis(wait_ms));
    let result = pending.settle(reply, now).map(drop);
    assert_eq!(
        result.map_err(|refusal| refusal.kind()),
        if counts { Ok(()) } else { Err(RefusalKind::Timeout) }
    );
}

#[test]
fn an_answer_is_used_once() {
    let scene = Scene::new();
    let (first, second) = (asked(&scene, "a"), asked(&scene, "b"));
    assert_ne!(first.question().id, second.question().id);
    let reply = yes(&first.question().id);
    let now = scene.gate.now();
    assert!(first.settle(reply.clone(), now).is_ok());
    assert_eq!(
        second.settle(reply.clone(), now).unwrap_err().kind(),
        RefusalKind::Fault
    );
    // The same call asked about again is another question.
    let again = asked(&scene, "a");
    assert_eq!(again.settle(reply, now).unwrap_err().kind(), RefusalKind::Fault);
}

#[rstest]
#[case::empty("")]
#[case::zeros("00000000000000000000000000000000")]
#[case::call_id("a")]
fn a_guessed_question_is_no_answer(#[case] guess: &str) {
    let scene = Scene::new();
    let pending = asked(&scene, "a");
    let reply = yes(&QuestionId::claimed(guess));
    assert_eq!(
        pending.settle(reply, Moment(0)).unwrap_err().kind(),
        RefusalKind::Fault
    );
}

#[test]
fn a_dropped_question_is_a_recorded_refusal() {
    let scene = Scene::new();
    drop(asked(&scene, "a"));
    assert_eq!(scene.words(), ["asked", "refused cancelled by Nobody"]);
}

#[test]
fn a_question_handed_to_the_host_gives_no_permit() {
    let scene = Scene::new();
    asked(&scene, "a").hand_to_host().unwrap();
    assert_eq!(scene.words(), ["asked", "handed to host"]);
}

#[test]
fn a_hand_over_that_is_not_recorded_is_a_fault() {
    let scene = Scene::new();
    let pending = asked(&scene, "a");
    scene.ledger.fail_next();
    assert_eq!(pending.hand_to_host().unwrap_err().kind(), RefusalKind::Fault);
    assert_eq!(scene.words(), ["asked", "refused fault by Nobody"]);
    let pending = asked(&scene, "b");
    scene.cancel.raise();
    assert_eq!(pending.hand_to_host().unwrap_err().kind(), RefusalKind::Cancelled);
    assert_eq!(scene.words()[2..], ["asked", "refused cancelled by Nobody"]);
}

#[test]
fn a_permit_handed_to_the_host_stays_open() {
    let scene = Scene::new();
    scene.file("a", "x");
    scene
        .permit("read_file", json!({"path": "a"}))
        .hand_to_host()
        .unwrap();
    assert_eq!(scene.words(), ["permitted by Policy"]);
    let permit = scene.permit("read_file", json!({"path": "a"}));
    scene.cancel.raise();
    assert_eq!(permit.hand_to_host().unwrap_err().kind(), RefusalKind::Cancelled);
    assert_eq!(scene.words()[1..], ["permitted by Policy", "unused"]);
}

#[test]
fn a_permit_is_for_the_very_call() {
    let scene = Scene::new();
    scene.file("a", "x");
    scene.file("b", "x");
    for other in [
        scene.call("delete_file", json!({"path": "b"})),
        scene.call("delete_file", json!({"path": "a", "recursive": true})),
        scene.call("delete_file", json!({"path": "./a"})),
        scene.call_named("c2", "delete_file", json!({"path": "a"})),
        scene.call("read_file", json!({"path": "a"})),
    ] {
        let permit = scene.permit("delete_file", json!({"path": "a"}));
        let refusal = permit.redeem(&other).unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Changed);
        assert_eq!(scene.words().last().unwrap(), "changed");
    }
    let permit = scene.permit("delete_file", json!({"path": "a"}));
    let same = scene.call("delete_file", json!({"path": "a"}));
    let running = permit.redeem(&same).unwrap();
    running.done().unwrap();
    assert_eq!(scene.words().last().unwrap(), "done");
}

#[rstest]
#[case::replaced(|scene: &Scene| {
    std::fs::rename(scene.work("dir/a"), scene.work("kept")).unwrap();
    std::fs::write(scene.work("dir/a"), "other").unwrap();
})]
#[case::linked(|scene: &Scene| {
    std::fs::remove_file(scene.work("dir/a")).unwrap();
    std::os::unix::fs::symlink(scene.outside("secret"), scene.work("dir/a")).unwrap();
})]
#[case::parent_swapped(|scene: &Scene| {
    std::fs::rename(scene.work("dir"), scene.work("old")).unwrap();
    std::os::unix::fs::symlink(scene.outside(""), scene.work("dir")).unwrap();
    std::fs::write(scene.outside("a"), "other").unwrap();
})]
#[case::gone(|scene: &Scene| std::fs::remove_file(scene.work("dir/a")).unwrap())]
fn a_permit_is_for_the_very_target(
    #[case] change: fn(&Scene),
    #[values("read_file", "delete_file", "edit_file")] tool: &str,
) {
    let scene = Scene::new();
    scene.file("dir/a", "mine");
    std::fs::write(scene.outside("secret"), "secret").unwrap();
    let args = match tool {
        "edit_file" => json!({"path": "dir/a", "old_text": "mine", "new_text": "theirs"}),
        _ => json!({"path": "dir/a"}),
    };
    let by_hand = scene.permit(tool, args.clone());
    let permit = scene.permit(tool, args.clone());
    change(&scene);
    // A tool of the host's own, which has no held verb to fall back on.
    let refusal = by_hand.redeem(&scene.call(tool, args)).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Changed, "{refusal}");
    assert_eq!(scene.words().last().unwrap(), "changed");
    let refusal = portcullis_gate::effects::perform(permit).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Changed, "{refusal}");
    let words = scene.words();
    assert_eq!(
        words.iter().filter(|word| *word == "changed").count(),
        2,
        "{words:?}"
    );
    assert_eq!(
        std::fs::read_to_string(scene.outside("secret")).unwrap(),
        "secret"
    );
}

#[test]
fn cancelled_after_the_yes_does_not_run() {
    let scene = Scene::new();
    scene.file("a", "x");
    let permit = scene.permit("delete_file", json!({"path": "a"}));
    scene.cancel.raise();
    let refusal = portcullis_gate::effects::perform(permit).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Cancelled);
    assert_eq!(scene.words(), ["asked", "permitted by Human", "unused"]);
    assert!(scene.is_there("a"));
}

#[test]
fn cancelled_after_the_start_is_finished() {
    let scene = Scene::new();
    scene.file("a", "x");
    let call = scene.call("read_file", json!({"path": "a"}));
    let permit = scene.permit("read_file", json!({"path": "a"}));
    let running = permit.redeem(&call).unwrap();
    scene.cancel.raise();
    running.done().unwrap();
    assert_eq!(scene.words().last().unwrap(), "done");
}

#[test]
fn what_is_started_and_dropped_has_failed() {
    let scene = Scene::new();
    scene.file("a", "x");
    let call = scene.call("read_file", json!({"path": "a"}));
    drop(
        scene
            .permit("read_file", json!({"path": "a"}))
            .redeem(&call)
            .unwrap(),
    );
    scene
        .permit("read_file", json!({"path": "a"}))
        .redeem(&call)
        .unwrap()
        .failed("no luck")
        .unwrap();
    assert_eq!(
        scene.words(),
        ["permitted by Policy", "failed", "permitted by Policy", "failed"]
    );
}

#[test]
fn another_runs_cancellation_is_not_ours() {
    let scene = Scene::new();
    scene.file("a", "x");
    let other = Cancel::new();
    other.raise();
    drop(scene.permit("read_file", json!({"path": "a"})));
    assert_eq!(scene.words(), ["permitted by Policy", "unused"]);
}

#[test]
fn questions_and_permits_may_cross_threads() {
    fn crosses<T: Send>() {}
    fn is_shared<T: Send + Sync + Clone>() {}
    crosses::<portcullis_gate::Permit>();
    crosses::<portcullis_gate::Running>();
    crosses::<Pending>();
    crosses::<Step>();
    is_shared::<portcullis_gate::Gate>();
    let scene = Scene::new();
    let pending = asked(&scene, "a");
    let now = scene.gate.now();
    std::thread::spawn(move || {
        let reply = yes(&pending.question().id);
        let permit = pending.settle(reply, now).unwrap();
        portcullis_gate::effects::perform(permit).unwrap();
    })
    .join()
    .unwrap();
    assert!(!scene.is_there("a"));
}
