//! Private and sensitive names, whatever road leads to them.

use portcullis_classify::{Layer, LayerRules, NameGroup, Policy, PolicyErrorKind, Preset, Risk};
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

fn group(text: &str) -> NameGroup {
    toml::from_str(text).unwrap()
}

fn added(layer: Layer, text: &str) -> LayerRules {
    LayerRules {
        names: vec![group(text)],
        ..LayerRules::empty(layer)
    }
}

fn removed(layer: Layer, text: &str) -> LayerRules {
    LayerRules {
        removed: vec![group(text)],
        ..LayerRules::empty(layer)
    }
}

const CLIENTS: &str = "id = 'clients'\nwhy = 'papers of clients'\nfiles = ['Data.TXT']";
const PLANS: &str = "id = 'plans'\nwhy = 'the build reads it'\nasks = 'change'\nends = ['.rs']";

#[rstest]
#[case::read("read_file", json!({"path": "../outside/data.txt"}), "clients", Layer::User)]
#[case::by_a_link("read_file", json!({"path": "out/data.txt"}), "clients", Layer::Project)]
#[case::by_a_command("run_command", json!({"command": "cat out/data.txt"}), "clients", Layer::User)]
#[case::below_a_search("search", json!({"pattern": "x", "path": "."}), "private.below", Layer::User)]
#[case::change("write_file", json!({"path": "src/new.rs", "content": ""}), "plans", Layer::Project)]
fn a_layer_adds_names_with_their_reason(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] expected: &str,
    #[case] layer: Layer,
) {
    let scene = scene();
    std::fs::write(scene.path("ws/locked/data.txt"), "").unwrap();
    // What is built in asks about other names here.
    for name in [".env", ".ENV.LOCAL"] {
        std::fs::remove_file(scene.path("ws").join(name)).unwrap();
    }
    std::fs::remove_dir_all(scene.path("ws/.ssh")).unwrap();
    let before = scene.judge(Vec::new(), tool, &args);
    assert!(!ids(&before).contains(&expected), "{:?}", ids(&before));
    let layers = vec![added(layer, CLIENTS), added(layer, PLANS)];
    let assessment = scene.judge(layers, tool, &args);
    assert_sound(&assessment);
    assert_eq!(assessment.verdict.risk(), Risk::Confirm);
    let cause = assessment
        .verdict
        .causes()
        .iter()
        .find(|cause| cause.rule == expected);
    let cause = cause.unwrap();
    if expected != "private.below" {
        assert_eq!(cause.layer, layer);
        let why = if expected == "clients" {
            "papers of clients"
        } else {
            "the build reads it"
        };
        assert!(cause.text.starts_with(why), "{}", cause.text);
    }
    let reading = scene.judge(
        vec![added(layer, PLANS)],
        "read_file",
        &json!({"path": "src/main.rs"}),
    );
    assert_eq!(reading.verdict.risk(), Risk::Allow, "asks before changing alone");
}

#[test]
fn a_user_takes_one_name_out_of_a_group() {
    let layers = || {
        vec![removed(
            Layer::User,
            "id = 'private.directory'\ndirectories = ['.SSH']",
        )]
    };
    let risk = |layers, tool, args| scene().judge(layers, tool, &args).verdict.risk();
    assert_eq!(risk(layers(), "list_dir", json!({"path": ".ssh"})), Risk::Allow);
    assert_eq!(
        risk(layers(), "write_file", json!({"path": ".aws/x", "content": ""})),
        Risk::Confirm
    );
    // What a project adds stays, whatever the user takes out of what is built in.
    let mut with = layers();
    with.push(added(
        Layer::Project,
        "id = 'p'\nwhy = 'w'\ndirectories = ['.ssh']",
    ));
    assert_eq!(risk(with, "list_dir", json!({"path": ".ssh"})), Risk::Confirm);
    let version = |layers| Policy::join(layers).unwrap().version().to_owned();
    let versions = [
        Vec::new(),
        layers(),
        vec![added(Layer::User, CLIENTS)],
        vec![added(Layer::Project, CLIENTS)],
        vec![added(Layer::User, PLANS)],
    ]
    .map(version);
    let different: std::collections::BTreeSet<_> = versions.iter().collect();
    assert_eq!(different.len(), versions.len());
}

#[rstest]
#[case::by_a_project(
    removed(Layer::Project, "id = 'private.keys'\nends = ['.pem']"),
    PolicyErrorKind::Loosens
)]
#[case::by_a_run(
    removed(Layer::Run, "id = 'private.keys'\nends = ['.pem']"),
    PolicyErrorKind::Loosens
)]
#[case::not_there(
    removed(Layer::User, "id = 'private.keys'\nends = ['.txt']"),
    PolicyErrorKind::Subject
)]
#[case::in_another_member(
    removed(Layer::User, "id = 'private.keys'\nfiles = ['.pem']"),
    PolicyErrorKind::Subject
)]
#[case::nothing(removed(Layer::User, "id = 'private.keys'"), PolicyErrorKind::Subject)]
#[case::no_group(removed(Layer::User, "id = 'mine'\nfiles = ['a']"), PolicyErrorKind::Subject)]
#[case::reserved(
    added(Layer::User, "id = 'private.x'\nwhy = 'w'\nfiles = ['a']"),
    PolicyErrorKind::Id
)]
#[case::no_reason(added(Layer::User, "id = 'x'\nfiles = ['a']"), PolicyErrorKind::Subject)]
#[case::no_names(
    added(Layer::User, "id = 'x'\nwhy = 'w'\nspared = ['a']"),
    PolicyErrorKind::Subject
)]
#[case::everything(
    added(Layer::User, "id = 'x'\nwhy = 'w'\nends = ['']"),
    PolicyErrorKind::Subject
)]
#[case::no_place(
    added(Layer::User, "id = 'x'\nwhy = 'w'\nplaces = ['a']"),
    PolicyErrorKind::Subject
)]
#[case::no_name(
    added(Layer::User, "id = 'x'\nwhy = 'w'\nfiles = ['a/b']"),
    PolicyErrorKind::Subject
)]
fn what_is_said_of_names_is_checked(#[case] layer: LayerRules, #[case] expected: PolicyErrorKind) {
    assert_eq!(Policy::join(vec![layer]).unwrap_err().kind(), expected);
}

#[test]
fn the_careful_preset_asks_about_manifests() {
    let args = json!({"path": "Cargo.toml", "content": ""});
    let assessment = scene().judge(preset(Preset::Careful), "write_file", &args);
    assert!(ids(&assessment).contains(&"sensitive.manifests"));
}
