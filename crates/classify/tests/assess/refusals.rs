//! What is denied, and as what.

use std::path::Path;

use portcullis_classify::{Classifier, Denial, Layer, Operand, Policy, Risk, Role, ToolSpec, Toolbox};
use portcullis_paths::{Ambient, Dialect, Operation, Resolver, ZoneKind, Zones};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids, with_zones};

#[rstest]
#[case::unknown_tool("format_disk", json!({}), Denial::UnknownTool, "tool.unknown")]
#[case::unknown_tool_by_case("READ_FILE", json!({"path": "notes.txt"}), Denial::UnknownTool, "tool.unknown")]
#[case::unknown_tool_with_bad_arguments("nothing", json!({"path": 1}), Denial::UnknownTool, "tool.unknown")]
#[case::missing_operand("read_file", json!({}), Denial::BadArguments, "arguments.bad")]
#[case::wrong_type("read_file", json!({"path": 5}), Denial::BadArguments, "arguments.bad")]
#[case::null("read_file", json!({"path": null}), Denial::BadArguments, "arguments.bad")]
#[case::list_for_text("run_command", json!({"command": ["ls"]}), Denial::BadArguments, "arguments.bad")]
#[case::extra_member("read_file", json!({"path": "notes.txt", "file": "x"}), Denial::BadArguments, "arguments.bad")]
#[case::empty_path("read_file", json!({"path": ""}), Denial::Policy, "path.syntax")]
#[case::nul("read_file", json!({"path": "a\0b"}), Denial::Policy, "path.syntax")]
#[case::missing_file("read_file", json!({"path": "absent"}), Denial::Policy, "path.not-found")]
#[case::file_as_directory("read_file", json!({"path": "notes.txt/x"}), Denial::Policy, "path.not-a-directory")]
fn a_refusal_says_what_it_is(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] denial: Denial,
    #[case] cause: &str,
) {
    let scene = Scene::new();
    let assessment = scene.judge(Vec::new(), tool, &args);
    assert_sound(&assessment);
    assert_eq!(assessment.denial, Some(denial), "{:?}", assessment.verdict);
    assert_eq!(ids(&assessment).first(), Some(&cause));
    assert!(
        assessment
            .effects
            .iter()
            .all(|effect| effect.target.is_none() && effect.risk == Risk::Deny)
    );
}

#[test]
fn a_path_needs_a_working_directory() {
    let scene = Scene::new();
    for path in ["notes.txt", "{T}/ws/notes.txt"] {
        let call = scene.call_from(None, "read_file", &json!({"path": path}));
        let assessment = scene
            .classifier(Vec::new())
            .assess(call.with_default_cwd(Path::new("ws")));
        assert_sound(&assessment);
        assert_eq!(assessment.denial, Some(Denial::BadArguments));
        assert_eq!(ids(&assessment), ["cwd.missing"], "a relative one is none");
    }
}

#[test]
fn a_call_without_paths_needs_no_working_directory() {
    let scene = Scene::new();
    let call = scene.call_from(None, "run_command", &json!({"command": "ls"}));
    assert_eq!(
        scene.classifier(Vec::new()).assess(call).verdict.risk(),
        Risk::Confirm
    );
}

#[rstest]
#[case::read("read_file", json!({"path": "~/.ssh/key"}))]
#[case::read_by_name("read_file", json!({"path": "{T}/home/.ssh/key"}))]
#[case::read_missing("read_file", json!({"path": "~/.ssh/absent"}))]
#[case::write("write_file", json!({"path": "~/.ssh/key", "content": "x"}))]
#[case::list("list_dir", json!({"path": "~/.ssh"}))]
#[case::delete_above("delete_file", json!({"path": "{T}/home", "recursive": true}))]
#[case::delete_far_above("delete_file", json!({"path": "{T}", "recursive": true}))]
#[case::move_above("move_file", json!({"from": "{T}/home", "to": "{T}/ws/taken"}))]
fn a_place_that_must_not_be_read_is_denied_in_every_way(#[case] tool: &str, #[case] args: Value) {
    let scene = Scene::new();
    let zones = vec![scene.zone("keys", ZoneKind::DenyRead, "~/.ssh")];
    let assessment = scene.judge(vec![with_zones(Layer::User, zones)], tool, &args);
    assert_sound(&assessment);
    assert_eq!(
        assessment.denial,
        Some(Denial::Policy),
        "{:?}",
        assessment.verdict
    );
    let first = assessment.verdict.causes().first().unwrap();
    assert_eq!(
        (first.rule.as_str(), first.layer, first.risk),
        ("keys", Layer::User, Risk::Deny)
    );
}

#[rstest]
#[case::read("read_file", json!({"path": "locked/inner/file"}), Risk::Allow)]
#[case::list("list_dir", json!({"path": "locked"}), Risk::Allow)]
#[case::search("search", json!({"pattern": "x"}), Risk::Allow)]
#[case::write("write_file", json!({"path": "locked/inner/file", "content": "x"}), Risk::Deny)]
#[case::create("write_file", json!({"path": "locked/inner/new", "content": "x"}), Risk::Deny)]
#[case::edit("edit_file", json!({"path": "locked/inner/file", "old_text": "a", "new_text": "b"}), Risk::Deny)]
#[case::delete("delete_file", json!({"path": "locked/inner/file"}), Risk::Deny)]
#[case::delete_itself("delete_file", json!({"path": "locked/inner", "recursive": true}), Risk::Deny)]
#[case::delete_parent("delete_file", json!({"path": "locked", "recursive": true}), Risk::Deny)]
#[case::move_parent("move_file", json!({"from": "locked", "to": "free"}), Risk::Deny)]
#[case::move_into("move_file", json!({"from": "notes.txt", "to": "locked/inner/x"}), Risk::Deny)]
#[case::beside("write_file", json!({"path": "locked/new", "content": "x"}), Risk::Allow)]
#[case::longer_name("write_file", json!({"path": "locked/inner2", "content": "x"}), Risk::Allow)]
fn a_place_that_must_not_be_changed_may_be_read(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] expected: Risk,
) {
    let scene = Scene::new();
    let zones = vec![scene.zone("lock", ZoneKind::DenyWrite, "{T}/ws/locked/inner")];
    let assessment = scene.judge(vec![with_zones(Layer::Project, zones)], tool, &args);
    assert_sound(&assessment);
    assert_eq!(assessment.verdict.risk(), expected, "{:?}", assessment.verdict);
    let named = assessment
        .verdict
        .causes()
        .iter()
        .find(|cause| cause.rule == "lock");
    assert_eq!(
        named.map(|cause| cause.layer),
        (expected == Risk::Deny).then_some(Layer::Project)
    );
}

#[rstest]
#[case::read("read_file", json!({"path": "src/main.rs"}), ZoneKind::ConfirmRead, Risk::Confirm)]
#[case::read_beside("read_file", json!({"path": "notes.txt"}), ZoneKind::ConfirmRead, Risk::Allow)]
#[case::edit("edit_file", json!({"path": "src/main.rs", "old_text": "a", "new_text": "b"}), ZoneKind::ConfirmRead, Risk::Confirm)]
#[case::edit_by_claude_code("Edit", json!({"file_path": "src/main.rs", "old_string": "a", "new_string": "b"}), ZoneKind::ConfirmRead, Risk::Confirm)]
#[case::edits_by_claude_code("MultiEdit", json!({"file_path": "src/main.rs", "edits": []}), ZoneKind::ConfirmRead, Risk::Confirm)]
#[case::edit_a_notebook("NotebookEdit", json!({"notebook_path": "src/main.rs", "new_source": ""}), ZoneKind::ConfirmRead, Risk::Confirm)]
#[case::edit_by_pi("edit", json!({"path": "src/main.rs", "edits": []}), ZoneKind::ConfirmRead, Risk::Confirm)]
#[case::edit_beside("edit_file", json!({"path": "notes.txt", "old_text": "a", "new_text": "b"}), ZoneKind::ConfirmRead, Risk::Allow)]
#[case::write_without_reading("write_file", json!({"path": "src/main.rs", "content": "x"}), ZoneKind::ConfirmRead, Risk::Allow)]
#[case::write("write_file", json!({"path": "src/main.rs", "content": "x"}), ZoneKind::ConfirmWrite, Risk::Confirm)]
#[case::read_what_is_confirmed_to_write("read_file", json!({"path": "src/main.rs"}), ZoneKind::ConfirmWrite, Risk::Allow)]
fn a_confirm_zone_asks(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] kind: ZoneKind,
    #[case] expected: Risk,
) {
    let scene = Scene::new();
    let zones = vec![scene.zone("look", kind, "{T}/ws/src")];
    let assessment = scene.judge(vec![with_zones(Layer::Run, zones)], tool, &args);
    assert_eq!(assessment.verdict.risk(), expected);
    assert_eq!(ids(&assessment).contains(&"look"), expected == Risk::Confirm);
}

/// R15: a refusal must not say what exists. Protected places are denied whatever is there; everything else outside asks,
/// whatever is there; and a text that climbs out of what may be there is denied like a protected place.
#[test]
fn outside_an_answer_is_the_same_whatever_is_there() {
    let scene = Scene::new();
    let zones = vec![scene.zone("keys", ZoneKind::DenyRead, "~/.ssh")];
    let classifier = scene.classifier(vec![with_zones(Layer::User, zones)]);
    let judge = |path: &str| classifier.assess(scene.call("read_file", &json!({"path": path})));
    let denied = |path: &str| {
        let assessment = judge(path);
        assert_eq!(assessment.verdict.risk(), Risk::Deny, "{path}");
        let cause = assessment.verdict.causes().first().unwrap();
        assert!(
            cause.text.contains(&scene.fill(path)) && cause.reticent,
            "{cause:?}"
        );
        cause.text.replace(&scene.fill(path), "OPERAND")
    };
    let protected = denied("~/.ssh/key");
    for path in [
        "~/.ssh/absent",
        "{T}/outside/absent/../../ws/notes.txt",
        "{T}/outside/../ws/notes.txt",
        "{T}/outside/data.txt/../../ws/notes.txt",
        "out/../../ws/notes.txt",
    ] {
        assert_eq!(denied(path), protected, "{path}");
    }
    for path in [
        "{T}/outside/data.txt",
        "{T}/outside/absent",
        "{T}/outside/data.txt/x",
        "out/data.txt",
        "out/absent",
    ] {
        let assessment = judge(path);
        assert_eq!(assessment.verdict.risk(), Risk::Confirm, "{path}");
        assert!(ids(&assessment).contains(&"outside.read"), "{path}");
        let held = assessment.effects[0].target.is_some();
        assert_eq!(ids(&assessment).contains(&"outside.unheld"), !held, "{path}");
    }
    // What everybody knows of may be gone through.
    for path in ["../ws/notes.txt", "~/../ws/notes.txt", "{T}/ws/src/../notes.txt"] {
        assert_eq!(judge(path).verdict.risk(), Risk::Allow, "{path}");
    }
}

/// A search of everything around it cannot be told to leave a place out; it is never allowed unasked.
#[test]
fn searching_around_a_place_that_must_not_be_read_asks_in_its_name() {
    let scene = Scene::new();
    let zones = vec![scene.zone("source", ZoneKind::DenyRead, "{T}/ws/src")];
    let assessment = scene.judge(
        vec![with_zones(Layer::User, zones)],
        "search",
        &json!({"pattern": "x"}),
    );
    assert_eq!(assessment.verdict.risk(), Risk::Confirm);
    assert_eq!(ids(&assessment), ["source", "inside.search"]);
}

#[test]
fn an_unknown_tools_name_cannot_paint_the_terminal() {
    let scene = Scene::new();
    let assessment = scene.judge(Vec::new(), "x\u{1b}[31m\u{202e}", &json!({}));
    let text = &assessment.verdict.causes().first().unwrap().text;
    assert_eq!(text, r"no tool named `x\u{1b}[31m\u{202e}` is registered");
}

/// Every effect holds descriptors, and a list too long to look over is no question to ask.
#[test]
fn a_list_of_more_than_128_paths_is_denied() {
    let scene = Scene::new();
    let judge = |length: usize| {
        let schema = json!({"type": "object", "properties": {"paths": {"type": "array", "items": {"type": "string"}}}});
        let operand = Operand {
            member: "paths".into(),
            role: Role::Path {
                operation: Operation::Read,
                when: None,
                dialect: &Dialect::PLAIN,
                cwd_when_missing: false,
            },
            required: true,
        };
        let mut toolbox = Toolbox::empty();
        toolbox
            .register(ToolSpec::new("read_many", schema, vec![operand]).unwrap())
            .unwrap();
        let args = json!({"paths": vec!["notes.txt"; length]});
        scene
            .classifier_of(toolbox, Vec::new())
            .assess(scene.call("read_many", &args))
    };
    assert_eq!(judge(128).verdict.risk(), Risk::Allow);
    assert_eq!(judge(128).effects.len(), 128);
    let many = judge(129);
    assert_sound(&many);
    assert_eq!(ids(&many), ["effects.too-many"]);
    assert_eq!(many.denial, Some(Denial::Policy));
}

#[test]
fn one_bad_path_among_good_ones_denies_the_call() {
    let scene = Scene::new();
    let args = json!({"from": "notes.txt", "to": "notes.txt/x"});
    let assessment = scene.judge(Vec::new(), "move_file", &args);
    assert_sound(&assessment);
    assert_eq!(assessment.verdict.risk(), Risk::Deny);
    assert!(assessment.effects[0].target.is_some() && assessment.effects[1].target.is_none());
}

/// A deny rule whose place nobody opened would protect nothing, in silence.
#[test]
fn a_resolver_without_the_policys_zones_denies_everything() {
    let scene = Scene::new();
    let zones = vec![scene.zone("keys", ZoneKind::DenyRead, "~/.ssh")];
    let policy = Policy::join(vec![with_zones(Layer::User, zones)]).unwrap();
    let ambient = Ambient::empty().with_home(scene.path("home"));
    let opened = Zones::builder().root(scene.path("ws")).open(&ambient).unwrap();
    let classifier = Classifier::new(Toolbox::standard(), policy, Resolver::new(opened, ambient));
    for (tool, args) in [
        ("read_file", json!({"path": "notes.txt"})),
        ("TodoWrite", json!({"todos": []})),
    ] {
        let assessment = classifier.assess(scene.call(tool, &args));
        assert_sound(&assessment);
        assert_eq!(assessment.denial, Some(Denial::Policy));
        assert_eq!(ids(&assessment), ["zone.unopened"]);
    }
}
