//! A remembered allow covers the very call that made it, and nothing else.

use std::time::Duration;

use portcullis_audit::{DecidedBy, Event};
use portcullis_classify::{EffectKind, Layer, LayerRules, Preset};
use portcullis_gate::{Answer, Behaviour, Moment, Scope, Step};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::scene::Scene;

pub(crate) const HOUR: Duration = Duration::from_secs(3600);

pub(crate) fn grant(scene: &Scene, tool: &str, args: Value) {
    let call = scene.call(tool, args);
    let always = Answer::AllowAlways(Scope::lasting(HOUR));
    drop(scene.decide(call, Behaviour::Say(always)).unwrap());
}

/// Whether the call is permitted without a question.
pub(crate) fn covered(scene: &Scene, tool: &str, args: Value) -> bool {
    match scene.submit(scene.call(tool, args)) {
        Step::Permitted(_) => true,
        Step::Ask(_) | Step::Refused(_) => false,
    }
}

pub(crate) fn asking_for_writes() -> Scene {
    let mut layer = LayerRules::empty(Layer::User);
    layer.preset = Some(Preset::Careful);
    let scene = Scene::with_rules(vec![layer]);
    scene.file("dir/a", "x");
    scene.file("dir/b", "x");
    scene.file("dir/sub/a", "x");
    scene
}

#[test]
fn a_grant_is_recorded_as_the_one_who_decided() {
    let scene = asking_for_writes();
    grant(&scene, "delete_file", json!({"path": "dir/a"}));
    assert!(covered(&scene, "delete_file", json!({"path": "dir/a"})));
    assert_eq!(scene.words()[3..], ["permitted by Grant", "unused"]);
    let by: Vec<_> = scene
        .ledger
        .events()
        .into_iter()
        .filter_map(|event| match event {
            Event::Decided(decided) => Some(decided.by),
            _ => None,
        })
        .collect();
    assert_eq!(by, [DecidedBy::Human, DecidedBy::Grant]);
}

/// A token in the name of a directory is shown nowhere: not where a grant can be given for it, and not in the list.
#[test]
fn a_secret_in_a_name_is_neither_offered_nor_listed() {
    let scene = asking_for_writes();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let path = format!("dir/{secret}/below/a");
    scene.file(&path, "x");
    let Step::Ask(pending) = scene.submit(scene.call("delete_file", json!({"path": path}))) else {
        panic!("a deletion asks");
    };
    let below = pending.question().offers.below.clone();
    drop(pending);
    assert!(below.contains(&scene.work("dir")), "{below:?}");
    assert!(!format!("{below:?}").contains("ghp_0123"), "{below:?}");
    grant(&scene, "delete_file", json!({"path": path}));
    assert!(covered(&scene, "delete_file", json!({"path": path})));
    let listed = format!("{:?}", scene.gate.grants());
    assert!(
        listed.contains("/below/a") && !listed.contains("ghp_0123"),
        "{listed}"
    );
}

#[test]
fn a_grant_is_listed_revoked_and_expires() {
    let scene = asking_for_writes();
    grant(&scene, "delete_file", json!({"path": "dir/a"}));
    let grants = scene.gate.grants();
    assert_eq!(grants.len(), 1);
    let place = scene.work("dir/a").to_str().unwrap().to_owned();
    assert_eq!(grants[0].resources, [(EffectKind::Delete, place)]);
    assert_eq!(grants[0].tool, "delete_file");
    assert_eq!(grants[0].user, "tester");
    assert_eq!(grants[0].expires, Moment(1_000_000 + 3_600_000));
    assert!(scene.gate.revoke(grants[0].id));
    assert!(!scene.gate.revoke(grants[0].id));
    assert!(scene.gate.grants().is_empty());
    assert!(!covered(&scene, "delete_file", json!({"path": "dir/a"})));

    grant(&scene, "delete_file", json!({"path": "dir/a"}));
    scene.clock.advance(HOUR - Duration::from_millis(1));
    assert!(covered(&scene, "delete_file", json!({"path": "dir/a"})));
    scene.clock.advance(Duration::from_millis(1));
    assert!(!covered(&scene, "delete_file", json!({"path": "dir/a"})));
    assert!(scene.gate.grants().is_empty());
}

#[test]
fn a_grant_never_reaches_another_place_operation_or_tool() {
    let scene = asking_for_writes();
    grant(&scene, "delete_file", json!({"path": "dir"}));
    assert!(covered(&scene, "delete_file", json!({"path": "dir"})));
    assert!(covered(&scene, "delete_file", json!({"path": "./dir/../dir"})));
    for (tool, args) in [
        ("delete_file", json!({"path": "dir", "recursive": true})),
        ("delete_file", json!({"path": "dir/a"})),
        ("delete_file", json!({"path": "dir/sub"})),
        ("delete_file", json!({"path": "dirs"})),
        ("delete_file", json!({"path": "."})),
        ("write_file", json!({"path": "dir/a", "content": ""})),
        ("move_file", json!({"from": "dir", "to": "other"})),
    ] {
        assert!(!covered(&scene, tool, args.clone()), "{tool} {args}");
    }
}

#[test]
fn a_grant_to_move_is_not_one_to_move_back() {
    let scene = asking_for_writes();
    scene.file("a", "x");
    grant(&scene, "move_file", json!({"from": "a", "to": "b"}));
    assert!(covered(&scene, "move_file", json!({"from": "a", "to": "b"})));
    std::fs::rename(scene.work("a"), scene.work("b")).unwrap();
    assert!(!covered(&scene, "move_file", json!({"from": "b", "to": "a"})));
}

#[test]
fn a_grant_does_not_cover_what_nobody_knew_when_it_was_given() {
    let scene = asking_for_writes();
    let write = json!({"path": "dir/a", "content": "y"});
    grant(&scene, "write_file", write.clone());
    assert!(covered(&scene, "write_file", write.clone()));
    // The same place is now a second name of a file elsewhere.
    std::fs::write(scene.outside("other"), "x").unwrap();
    std::fs::remove_file(scene.work("dir/a")).unwrap();
    std::fs::hard_link(scene.outside("other"), scene.work("dir/a")).unwrap();
    assert!(!covered(&scene, "write_file", write));
}

#[test]
fn a_grant_follows_the_object_and_not_the_spelling() {
    let scene = asking_for_writes();
    std::os::unix::fs::symlink("dir", scene.work("link")).unwrap();
    let write = |path: &str| json!({"path": path, "content": "y"});
    grant(&scene, "write_file", write("link/a"));
    assert!(covered(&scene, "write_file", write("dir/a")));
    std::fs::remove_file(scene.work("link")).unwrap();
    std::os::unix::fs::symlink("dir/sub", scene.work("link")).unwrap();
    assert!(!covered(&scene, "write_file", write("link/a")));
}

#[test]
fn what_cannot_be_granted_is_allowed_once() {
    let scene = asking_for_writes();
    let command = json!({"command": "frobnicate"});
    grant(&scene, "run_command", command.clone());
    assert!(scene.gate.grants().is_empty());
    assert!(!covered(&scene, "run_command", command));
}

#[test]
fn a_reviewer_gives_no_standing_permission() {
    let scene = asking_for_writes();
    let call = scene.call("delete_file", json!({"path": "dir/a"}));
    let always = Answer::AllowAlways(Scope::lasting(HOUR));
    assert!(scene.decide(call, Behaviour::Review(always)).is_ok());
    assert!(scene.gate.grants().is_empty());
}

#[test]
fn a_yes_that_is_not_recorded_makes_no_grant() {
    let scene = asking_for_writes();
    scene.ledger.fail_at(2);
    let call = scene.call("delete_file", json!({"path": "dir/a"}));
    let always = Answer::AllowAlways(Scope::lasting(HOUR));
    assert!(scene.decide(call, Behaviour::Say(always)).is_err());
    assert!(scene.gate.grants().is_empty());
}

/// Calls that differ in tool, place, spelling or operation.
fn any_call() -> impl Strategy<Value = (&'static str, Value)> {
    let path = prop::sample::select(vec![
        "dir/a",
        "dir/b",
        "dir/sub/a",
        "dir/sub",
        "dir",
        "./dir/a",
        "dir/./b",
        "dir/sub/../a",
        "new",
        "dir/new/deep",
    ]);
    (path.clone(), path, 0..6_u8).prop_map(|(path, other, tool)| match tool {
        0 => ("delete_file", json!({"path": path})),
        1 => ("delete_file", json!({"path": path, "recursive": true})),
        2 => ("write_file", json!({"path": path, "content": "x"})),
        3 => (
            "edit_file",
            json!({"path": path, "old_text": "x", "new_text": "y"}),
        ),
        4 => ("move_file", json!({"from": path, "to": other})),
        _ => ("make_dir", json!({"path": path})),
    })
}

/// What has to be the same for a grant to match, told by the test itself.
fn identity(scene: &Scene, tool: &str, args: &Value) -> Vec<String> {
    let place = |member: &str| {
        let text = args.get(member).map_or("", |value| value.as_str().unwrap());
        let mut names: Vec<&str> = Vec::new();
        for name in text.split('/') {
            match name {
                "." | "" => {}
                ".." => drop(names.pop()),
                name => names.push(name),
            }
        }
        scene.work(&names.join("/")).display().to_string()
    };
    let recursive = args.get("recursive").is_some().to_string();
    vec![
        tool.to_owned(),
        recursive,
        place("path"),
        place("from"),
        place("to"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_grant_matches_the_call_that_made_it_and_no_other(
        granted in any_call(), others in prop::collection::vec(any_call(), 1..12),
    ) {
        let scene = asking_for_writes();
        let always = Answer::AllowAlways(Scope::lasting(HOUR));
        let call = scene.call(granted.0, granted.1.clone());
        let allowed = scene.decide(call, Behaviour::Say(always)).map(drop).is_ok();
        let made = scene.gate.grants().len();
        // A call that is refused whatever is said makes no grant; any other makes one here.
        prop_assert_eq!(made == 1, allowed);
        prop_assert_eq!(covered(&scene, granted.0, granted.1.clone()), allowed);
        let own = identity(&scene, granted.0, &granted.1);
        for (tool, args) in others {
            if identity(&scene, tool, &args) != own {
                prop_assert!(!covered(&scene, tool, args.clone()), "{:?} covers {} {}", granted, tool, args);
            }
        }
    }
}

#[test]
fn private_data_is_granted_to_nobody_for_later() {
    let scene = asking_for_writes();
    scene.file("dir/.env", "TOKEN=x");
    for (tool, args) in [
        ("read_file", json!({"path": "dir/.env"})),
        ("write_file", json!({"path": "dir/.env", "content": ""})),
        ("move_file", json!({"from": "dir/a", "to": "dir/.env"})),
    ] {
        grant(&scene, tool, args.clone());
        assert!(scene.gate.grants().is_empty(), "{tool} {args}");
    }
    // A directory that was named does not reach what is private in it.
    let scope = Scope::lasting(HOUR).below(scene.work("dir"));
    let call = scene.call("write_file", json!({"path": "dir/a", "content": "y"}));
    drop(
        scene
            .decide(call, Behaviour::Say(Answer::AllowAlways(scope)))
            .unwrap(),
    );
    assert!(covered(
        &scene,
        "write_file",
        json!({"path": "dir/b", "content": "y"})
    ));
    assert!(!covered(
        &scene,
        "write_file",
        json!({"path": "dir/.env", "content": "y"})
    ));
}

#[test]
fn a_record_names_the_grant_that_let_a_call_run_and_the_answer_that_gave_it() {
    let scene = asking_for_writes();
    grant(&scene, "delete_file", json!({"path": "dir/a"}));
    let id = scene.gate.grants()[0].id;
    assert!(covered(&scene, "delete_file", json!({"path": "dir/a"})));
    let rules: Vec<String> = scene
        .ledger
        .events()
        .into_iter()
        .filter_map(|event| match event {
            Event::Decided(decided) => decided.subject.causes.last().map(|cause| cause.rule.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(rules, [format!("grant.given:{id}"), format!("grant.used:{id}")]);
}
