//! Private and sensitive names, whatever road leads to them.

use portcullis_classify::{Layer, LayerRules, Policy, PolicyErrorKind, Preset, Risk};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids, preset};

fn scene() -> Scene {
    let scene = Scene::new();
    std::fs::create_dir_all(scene.path("ws/.git/hooks")).unwrap();
    std::fs::write(scene.path("ws/.env"), "KEY=1").unwrap();
    std::fs::write(scene.path("ws/.ENV.LOCAL"), "KEY=1").unwrap();
    std::os::unix::fs::symlink(".env", scene.path("ws/plain.txt")).unwrap();
    std::fs::create_dir_all(scene.path("ws/.ssh")).unwrap();
    std::os::unix::fs::symlink("../src", scene.path("ws/.ssh/way")).unwrap();
    scene
}

#[rstest]
#[case::read("read_file", json!({"path": ".env"}), Some("private.environment"))]
#[case::read_upper("read_file", json!({"path": ".ENV.LOCAL"}), Some("private.environment"))]
#[case::read_by_a_link("read_file", json!({"path": "plain.txt"}), Some("private.environment"))]
#[case::through_a_private_directory("read_file", json!({"path": ".ssh/way/main.rs"}), Some("private.directory"))]
#[case::edit("edit_file", json!({"path": ".env", "old_text": "a", "new_text": "b"}), Some("private.environment"))]
#[case::new_file("write_file", json!({"path": "sub/.env", "content": ""}), Some("private.environment"))]
#[case::list("list_dir", json!({"path": ".ssh"}), Some("private.directory"))]
#[case::hook("write_file", json!({"path": ".git/hooks/pre-commit", "content": ""}), Some("sensitive.git"))]
#[case::another_road("write_file", json!({"path": "src/../.git/hooks/x", "content": ""}), Some("sensitive.git"))]
#[case::claude("Write", json!({"file_path": ".mcp.json", "content": ""}), Some("sensitive.agent"))]
#[case::read_a_hook("read_file", json!({"path": ".git"}), None)]
#[case::plain("read_file", json!({"path": "src/main.rs"}), None)]
#[case::manifest("write_file", json!({"path": "Cargo.toml", "content": ""}), None)]
fn a_name_asks_by_every_road(#[case] tool: &str, #[case] args: Value, #[case] asks: Option<&str>) {
    let assessment = scene().judge(Vec::new(), tool, &args);
    assert_sound(&assessment);
    let causes = ids(&assessment);
    match asks {
        Some(id) => {
            assert_eq!(assessment.verdict.risk(), Risk::Confirm, "{causes:?}");
            assert!(causes.contains(&id), "{causes:?}");
        }
        None => assert!(
            !causes
                .iter()
                .any(|id| id.contains("private.") || id.contains("sensitive."))
        ),
    }
}

fn turned_off(layer: Layer, group: &str) -> LayerRules {
    LayerRules {
        off: vec![group.to_owned()],
        ..LayerRules::empty(layer)
    }
}

#[test]
fn a_user_turns_a_group_off_and_nothing_else() {
    let layers = || vec![turned_off(Layer::User, "private.environment")];
    let risk = |tool, args| scene().judge(layers(), tool, &args).verdict.risk();
    assert_eq!(risk("read_file", json!({"path": ".env"})), Risk::Allow);
    assert_eq!(risk("list_dir", json!({"path": ".ssh"})), Risk::Confirm);
    let version = |layers| Policy::join(layers).unwrap().version().to_owned();
    assert_ne!(version(layers()), version(Vec::new()));
}

#[rstest]
#[case::a_project(Layer::Project, "private.environment", PolicyErrorKind::Loosens)]
#[case::no_group(Layer::User, "private.nothing", PolicyErrorKind::Subject)]
fn not_every_layer_and_not_every_word(
    #[case] layer: Layer,
    #[case] group: &str,
    #[case] expected: PolicyErrorKind,
) {
    let error = Policy::join(vec![turned_off(layer, group)]).unwrap_err();
    assert_eq!(error.kind(), expected);
    assert_eq!(error.rule(), group);
}

#[test]
fn the_careful_preset_asks_about_manifests() {
    let args = json!({"path": "Cargo.toml", "content": ""});
    let assessment = scene().judge(preset(Preset::Careful), "write_file", &args);
    assert!(ids(&assessment).contains(&"sensitive.manifests"));
}
