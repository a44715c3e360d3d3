//! The defaults, one by one, in both presets.

use portcullis_classify::{EffectKind, Preset, Risk};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids, preset};

const RUN: [Risk; 2] = [Risk::Allow; 2];
const ASK: [Risk; 2] = [Risk::Confirm; 2];
const BY_PRESET: [Risk; 2] = [Risk::Allow, Risk::Confirm];

#[rstest]
#[case::read("read_file", json!({"path": "src/main.rs"}), RUN, "inside.read")]
#[case::read_absolute("read_file", json!({"path": "{T}/ws/src/main.rs"}), RUN, "inside.read")]
#[case::read_through_a_link_inside("read_file", json!({"path": "near/main.rs"}), RUN, "inside.read")]
#[case::list("list_dir", json!({"path": "src"}), RUN, "inside.list")]
#[case::list_here("list_dir", json!({}), RUN, "inside.list")]
#[case::search("search", json!({"pattern": "x", "path": "src"}), RUN, "inside.search")]
#[case::search_here("search", json!({"pattern": "x"}), RUN, "inside.search")]
#[case::write("write_file", json!({"path": "notes.txt", "content": "x"}), BY_PRESET, "inside.write")]
#[case::write_new("write_file", json!({"path": "new/deep/file", "content": "x"}), BY_PRESET, "inside.write")]
#[case::edit("edit_file", json!({"path": "notes.txt", "old_text": "a", "new_text": "b"}), BY_PRESET, "inside.write")]
#[case::make_dir("make_dir", json!({"path": "a/b"}), BY_PRESET, "inside.write")]
#[case::delete("delete_file", json!({"path": "notes.txt"}), ASK, "delete")]
#[case::delete_tree("delete_file", json!({"path": "build/cache", "recursive": true}), ASK, "delete")]
#[case::delete_link("delete_file", json!({"path": "out"}), ASK, "delete")]
#[case::move_inside("move_file", json!({"from": "notes.txt", "to": "other.txt"}), BY_PRESET, "inside.move")]
#[case::command("run_command", json!({"command": "ls"}), RUN, "inside.list")]
#[case::unknown_command("run_command", json!({"command": "frobnicate"}), ASK, "command.unknown")]
#[case::unread_command("run_command", json!({"command": "ls $("}), ASK, "command.opaque")]
#[case::read_outside("read_file", json!({"path": "{T}/outside/data.txt"}), ASK, "outside.read")]
#[case::read_up("read_file", json!({"path": "../outside/data.txt"}), ASK, "outside.read")]
#[case::read_through_a_link_out("read_file", json!({"path": "out/data.txt"}), ASK, "outside.read")]
#[case::read_home("read_file", json!({"path": "~/.ssh/key"}), ASK, "outside.read")]
#[case::list_outside("list_dir", json!({"path": "{T}/outside"}), ASK, "outside.list")]
#[case::search_outside("search", json!({"pattern": "x", "path": "out"}), ASK, "outside.search")]
#[case::write_outside("write_file", json!({"path": "../outside/new", "content": "x"}), ASK, "outside.write")]
#[case::write_through_a_link_out("write_file", json!({"path": "out/new", "content": "x"}), ASK, "outside.write")]
#[case::delete_outside("delete_file", json!({"path": "out/data.txt"}), ASK, "outside.delete")]
#[case::move_out("move_file", json!({"from": "notes.txt", "to": "out/notes.txt"}), ASK, "outside.move")]
#[case::hard_link("write_file", json!({"path": "twin", "content": "x"}), ASK, "hard-linked")]
#[case::hard_link_read("read_file", json!({"path": "twin"}), RUN, "inside.read")]
#[case::unusual_name("write_file", json!({"path": "a\u{202e}b", "content": "x"}), ASK, "unusual-name")]
fn a_default_decides(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] expected: [Risk; 2],
    #[case] cause: &str,
) {
    let scene = Scene::new();
    for (chosen, expected) in [Preset::Everyday, Preset::Careful].into_iter().zip(expected) {
        let assessment = scene.judge(preset(chosen), tool, &args);
        assert_sound(&assessment);
        assert_eq!(
            assessment.verdict.risk(),
            expected,
            "{chosen:?} {:?}",
            assessment.verdict
        );
        assert!(ids(&assessment).contains(&cause), "{:?}", assessment.verdict);
        assert!(assessment.effects.iter().all(|effect| matches!(
            effect.kind,
            EffectKind::Opaque | EffectKind::Execute
        ) || effect.target.is_some()));
    }
}

#[test]
fn without_any_layer_the_preset_is_everyday() {
    let scene = Scene::new();
    let args = json!({"path": "notes.txt", "content": "x"});
    let assessment = scene.judge(Vec::new(), "write_file", &args);
    assert_eq!(assessment.verdict.risk(), Risk::Allow);
    assert_eq!(ids(&assessment), ["inside.write"]);
}

#[test]
fn effects_say_where_they_really_lead() {
    let scene = Scene::new();
    let args = json!({"from": "near/main.rs", "to": "out/moved\u{1b}[2J"});
    let assessment = scene.judge(Vec::new(), "move_file", &args);
    let places: Vec<_> = assessment
        .effects
        .iter()
        .map(|effect| effect.place.clone().unwrap())
        .collect();
    assert_eq!(places[0].as_bytes(), scene.fill("{T}/ws/src/main.rs").as_bytes());
    assert_eq!(
        places[1].as_bytes(),
        scene.fill("{T}/outside/moved\u{1b}[2J").as_bytes()
    );
    assert_eq!(assessment.effects[1].operand, r"out/moved\u{1b}[2J");
    assert_eq!(
        (
            assessment.effects[0].member.as_str(),
            assessment.effects[1].member.as_str()
        ),
        ("from", "to")
    );
}

#[test]
fn the_working_directory_is_the_calls_own() {
    let scene = Scene::new();
    let classifier = scene.classifier(Vec::new());
    let args = json!({"path": "main.rs"});
    let there = classifier.assess(scene.call_from(Some("{T}/ws/src"), "read_file", &args));
    assert_eq!(there.verdict.risk(), Risk::Allow);
    let elsewhere = classifier.assess(scene.call_from(Some("{T}/ws"), "read_file", &args));
    assert_eq!(elsewhere.verdict.risk(), Risk::Deny);
    assert_eq!(ids(&elsewhere), ["path.not-found"]);
    let outside =
        classifier.assess(scene.call_from(Some("{T}/outside"), "read_file", &json!({"path": "data.txt"})));
    assert_eq!(
        outside.verdict.risk(),
        Risk::Confirm,
        "a root is never taken from a call"
    );
}
