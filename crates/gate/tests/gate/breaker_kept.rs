//! Asking ends in a run that has a process, and so a gate, for each of its calls.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use portcullis_gate::{
    Answer, Approver, Behaviour, Cancel, Gate, KeptRun, Question, RefusalKind, Reply, Settings, Step,
};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use crate::scene::{Memory, Scene, classifier};

const NO: Behaviour = Behaviour::Say(Answer::Deny { reason: None });
const YES: Behaviour = Behaviour::Say(Answer::AllowOnce);

fn scene() -> Scene {
    let scene = Scene::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        scene.file(name, "x");
    }
    scene
}

fn run(scene: &Scene, session: &str) -> KeptRun {
    KeptRun::new(scene.outside("runs.json"), Some(session))
}

/// A gate as another process would have it.
fn gate(scene: &Scene, run: KeptRun) -> Gate {
    let mut settings = Settings::for_user("tester");
    settings.deadline = Duration::from_secs(60);
    let classifier = classifier(&scene.work(""), Vec::new());
    Gate::new(
        classifier,
        Arc::new(Memory::default()),
        scene.clock.clone(),
        settings,
    )
    .in_run(run)
}

fn delete_in(scene: &Scene, run: KeptRun, path: &str, behaviour: Behaviour) -> Option<RefusalKind> {
    let call = scene.call("delete_file", json!({"path": path}));
    let mut approver = scene.approver([behaviour]);
    let decided = gate(scene, run).decide(call, &mut approver, &Cancel::new());
    decided.map(drop).err().map(|refusal| refusal.kind())
}

/// How the question about deleting this ended, each in a gate of its own.
fn delete(scene: &Scene, path: &str, behaviour: Behaviour) -> Option<RefusalKind> {
    delete_in(scene, run(scene, "s"), path, behaviour)
}

#[rstest]
#[case::denied(NO, RefusalKind::DeniedByHuman)]
#[case::silence(Behaviour::Silence, RefusalKind::Timeout)]
#[case::nobody(Behaviour::HangUp, RefusalKind::NoApprover)]
fn three_refusals_in_a_row_end_the_asking_of_a_session(
    #[case] behaviour: Behaviour,
    #[case] kind: RefusalKind,
) {
    let scene = scene();
    for name in ["a", "b", "c"] {
        assert_eq!(delete(&scene, name, behaviour.clone()), Some(kind));
    }
    assert_eq!(delete(&scene, "d", YES), Some(RefusalKind::CircuitOpen));
    let gate = gate(&scene, run(&scene, "s"));
    assert!(gate.is_circuit_open());
    let read = gate.submit(scene.call("read_file", json!({"path": "a"})), &Cancel::new());
    assert!(
        matches!(read, Step::Permitted(_)),
        "what needs no question goes on"
    );
    assert_eq!(delete_in(&scene, run(&scene, "other"), "d", YES), None);
    gate.new_run();
    assert!(!gate.is_circuit_open());
    assert_eq!(delete(&scene, "d", YES), None);
}

#[test]
fn an_allow_begins_the_row_anew_and_forgets_the_run_that_it_left_clean() {
    let scene = scene();
    for name in ["a", "b"] {
        delete(&scene, name, NO);
    }
    assert_eq!(delete(&scene, "c", YES), None);
    for name in ["d", "e"] {
        delete(&scene, name, NO);
    }
    assert_eq!(delete(&scene, "f", YES), None);
    delete_in(&scene, run(&scene, "clean"), "a", YES);
    let text = std::fs::read_to_string(scene.outside("runs.json")).unwrap();
    assert_eq!(text.matches("\"session\"").count(), 1, "{text}");
    assert!(!text.contains("work") && !text.contains("\"s\""), "{text}");
}

#[test]
fn the_same_thing_by_any_spelling_is_asked_about_three_times() {
    let scene = scene();
    std::os::unix::fs::symlink(".", scene.work("again")).unwrap();
    for (path, other) in [("a", "b"), ("./a", "c"), ("again/a", "d")] {
        assert_eq!(delete(&scene, path, NO), Some(RefusalKind::DeniedByHuman));
        assert_eq!(delete(&scene, other, YES), None);
    }
    let whole = scene.work("a").display().to_string();
    assert_eq!(delete(&scene, &whole, YES), Some(RefusalKind::CircuitOpen));
    assert_eq!(delete(&scene, "e", YES), None);
}

/// A process that is killed while its question is open says nothing more; its time says it.
#[test]
fn a_question_whose_process_was_killed_counts_as_refused() {
    let scene = scene();
    let kill_while_asking = |path: &str| {
        let gate = gate(&scene, run(&scene, "s"));
        match gate.submit(scene.call("delete_file", json!({"path": path})), &Cancel::new()) {
            Step::Ask(pending) => std::mem::forget(pending),
            other => panic!("{other:?}"),
        }
    };
    for name in ["a", "b", "c"] {
        kill_while_asking(name);
    }
    // None of them was refused yet.
    kill_while_asking("d");
    scene.clock.advance(Duration::from_secs(120));
    assert_eq!(delete(&scene, "e", YES), Some(RefusalKind::CircuitOpen));
}

/// However long they may stay open: a run does not have any number of them.
#[test]
fn questions_that_are_never_answered_are_bounded() {
    let scene = scene();
    let mut asked = 0;
    for at in 0..40 {
        let path = scene.file(&format!("many/{at}"), "x");
        let call = scene.call("delete_file", json!({"path": path.to_str().unwrap()}));
        match gate(&scene, run(&scene, "s")).submit(call, &Cancel::new()) {
            Step::Ask(pending) => std::mem::forget(pending),
            Step::Refused(refusal) => {
                assert_eq!(refusal.kind(), RefusalKind::CircuitOpen);
                break;
            }
            Step::Permitted(_) => panic!("a deletion asks"),
        }
        asked += 1;
    }
    assert_eq!(asked, 34);
}

#[test]
fn what_is_withdrawn_or_left_to_the_host_says_nothing() {
    let scene = scene();
    for name in ["a", "b", "c"] {
        for leave in [drop, |pending: portcullis_gate::Pending| {
            pending.hand_to_host().unwrap()
        }] {
            let gate = gate(&scene, run(&scene, "s"));
            match gate.submit(scene.call("delete_file", json!({"path": name})), &Cancel::new()) {
                Step::Ask(pending) => leave(pending),
                other => panic!("{other:?}"),
            }
        }
    }
    scene.clock.advance(Duration::from_secs(3600));
    assert_eq!(delete(&scene, "d", YES), None);
}

#[test]
fn what_the_user_says_next_begins_another_run_and_a_sub_agents_prompt_does_not() {
    let scene = scene();
    let of = |prompt: &str, is_sub_agent| run(&scene, "s").of_prompt(prompt, is_sub_agent);
    for name in ["a", "b", "c"] {
        delete_in(&scene, of("one", false), name, NO);
    }
    let open = Some(RefusalKind::CircuitOpen);
    assert_eq!(delete_in(&scene, of("one", false), "d", YES), open);
    // However many a run has, what the user said is not forgotten for them.
    for number in 0..40 {
        let told = of(&format!("of sub-agent {number}"), true);
        assert_eq!(delete_in(&scene, told, "d", YES), open);
    }
    assert_eq!(delete_in(&scene, of("one", false), "d", YES), open);
    // A sub-agent may be the first to be asked about under a new word of the user's.
    assert_eq!(delete_in(&scene, of("two", true), "d", YES), open);
    assert_eq!(delete_in(&scene, run(&scene, "s"), "d", YES), open);
    assert_eq!(
        delete_in(&scene, of("two", false), "d", NO),
        Some(RefusalKind::DeniedByHuman)
    );
    for name in ["a", "b"] {
        delete_in(&scene, of("two", true), name, NO);
    }
    // What was said before is not said anew.
    assert_eq!(delete_in(&scene, of("one", false), "e", YES), open);
}

/// Never a fresh run: what cannot be remembered is refused, and nothing of it is written over.
#[rstest]
#[case::others_may_read_it(|path: &Path| mode(path, 0o644))]
#[case::a_link(|path: &Path| {
    std::fs::rename(path, path.with_extension("real")).unwrap();
    std::os::unix::fs::symlink(path.with_extension("real"), path).unwrap();
})]
#[case::a_second_name(|path: &Path| std::fs::hard_link(path, path.with_extension("second")).unwrap())]
#[case::a_directory(|path: &Path| { std::fs::remove_file(path).unwrap(); std::fs::create_dir(path).unwrap(); })]
#[case::empty(|path: &Path| std::fs::write(path, "").unwrap())]
#[case::half(|path: &Path| change(path, |text| text.chars().take(text.len() / 2).collect()))]
#[case::of_another_version(|path: &Path| change(path, |text| text.replace("\"version\":1", "\"version\":2")))]
#[case::a_member_more(|path: &Path| change(path, |text| text.replace("\"version\"", "\"x\":1,\"version\"")))]
#[case::an_answer_that_is_none(|path: &Path| change(path, |text| text.replace("\"n\"", "\"m\"")))]
#[case::a_name_that_is_none(|path: &Path| change(path, |text| text.replace("\"intents\":{\"", "\"intents\":{\"x")))]
#[case::too_long(|path: &Path| change(path, |text| format!("{text}{}", " ".repeat(5 << 20))))]
fn what_cannot_be_used_ends_in_refusal(#[case] spoil: fn(&Path)) {
    let scene = scene();
    assert_eq!(delete(&scene, "a", NO), Some(RefusalKind::DeniedByHuman));
    let path = scene.outside("runs.json");
    spoil(&path);
    let before = std::fs::read(&path).ok();
    assert_eq!(delete(&scene, "b", YES), Some(RefusalKind::Fault));
    assert!(gate(&scene, run(&scene, "s")).is_circuit_open());
    assert_eq!(std::fs::read(&path).ok(), before);
}

fn mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn change(path: &Path, change: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    let new = change(text.clone());
    assert_ne!(text, new);
    std::fs::write(path, new).unwrap();
}

#[test]
fn without_a_directory_nothing_is_asked() {
    let scene = scene();
    let nowhere = KeptRun::new(scene.outside("gone/runs.json"), Some("s"));
    assert_eq!(delete_in(&scene, nowhere, "a", YES), Some(RefusalKind::Fault));
}

/// Asks a question of its own, and says no to both.
struct AsksBetween<'a>(&'a Scene);

impl Approver for AsksBetween<'_> {
    fn ask(&mut self, question: &Question, _cancel: &Cancel) -> Reply {
        assert_eq!(delete(self.0, "f", NO), Some(RefusalKind::DeniedByHuman));
        let answer = Answer::Deny { reason: None };
        Reply::Answer {
            question: question.id.clone(),
            answer,
            reviewer: false,
        }
    }
}

/// No lock is held while a person thinks, and no refusal of another process is lost.
#[test]
fn questions_of_two_processes_at_once_both_count() {
    let scene = scene();
    for name in ["a", "b"] {
        let call = scene.call("delete_file", json!({"path": name}));
        let decided = gate(&scene, run(&scene, "s")).decide(call, &mut AsksBetween(&scene), &Cancel::new());
        assert_eq!(decided.unwrap_err().kind(), RefusalKind::DeniedByHuman);
    }
    assert!(gate(&scene, run(&scene, "s")).is_circuit_open());
}

#[test]
fn refusals_of_many_processes_at_once_are_all_counted() {
    let scene = scene();
    let allowed = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for session in 0..8 {
            let (scene, allowed) = (&scene, &allowed);
            threads.spawn(move || {
                let run = || run(scene, &session.to_string());
                for name in ["a", "b", "c"] {
                    assert_eq!(
                        delete_in(scene, run(), name, NO),
                        Some(RefusalKind::DeniedByHuman)
                    );
                }
                if delete_in(scene, run(), "d", YES).is_none() {
                    allowed.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                }
            });
        }
    });
    assert_eq!(allowed.into_inner(), 0);
}

/// The one that was silent longest goes first, and one that ended all asking last.
#[test]
fn no_number_of_sessions_makes_an_open_one_forgotten() {
    let scene = scene();
    for name in ["a", "b", "c"] {
        delete(&scene, name, NO);
    }
    for session in 0..70 {
        delete_in(&scene, run(&scene, &format!("n{session}")), "a", NO);
    }
    let text = std::fs::read_to_string(scene.outside("runs.json")).unwrap();
    assert_eq!(text.matches("\"session\"").count(), 64);
    assert_eq!(delete(&scene, "d", YES), Some(RefusalKind::CircuitOpen));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A gate for each call and one gate for all of them say the same, whatever people answer.
    #[test]
    fn a_run_of_many_processes_ends_as_one_of_one_does(
        script in prop::collection::vec((0..4_usize, 0..5_u8), 1..12)
    ) {
        let (many, one) = (scene(), scene());
        for (at, answer) in script {
            let path = ["a", "b", "c", "d"][at];
            let behaviour = || match answer {
                0 | 1 => NO,
                2 => Behaviour::Silence,
                _ => YES,
            };
            let call = one.call("delete_file", json!({"path": path}));
            let single = one.decide(call, behaviour()).map(drop).err().map(|refusal| refusal.kind());
            prop_assert_eq!(delete(&many, path, behaviour()), single);
        }
    }
}
