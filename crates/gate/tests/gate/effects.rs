//! What the seven file tools do with a permit.

use portcullis_gate::effects::{self, ToolResult};
use portcullis_gate::{Permit, Refusal, RefusalKind};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::Scene;

fn run(scene: &Scene, tool: &str, args: Value) -> ToolResult {
    effects::perform(scene.permit(tool, args)).unwrap()
}

fn done(result: &ToolResult) -> &str {
    assert!(!result.is_error, "{}", result.text);
    &result.text
}

fn failed(result: &ToolResult) -> &str {
    assert!(result.is_error, "{}", result.text);
    &result.text
}

#[test]
fn a_file_is_read() {
    let scene = Scene::new();
    scene.file("a", "Größe\n");
    assert_eq!(done(&run(&scene, "read_file", json!({"path": "a"}))), "Größe\n");
    assert_eq!(scene.words(), ["permitted by Policy", "done"]);
}

#[test]
fn what_is_not_text_or_too_large_is_not_read() {
    let scene = Scene::new();
    scene.file("raw", b"\xff\xfe");
    scene.file("large", "x".repeat(1001));
    scene.file("fits", "x".repeat(1000));
    let raw = run(&scene, "read_file", json!({"path": "raw"}));
    assert!(failed(&raw).ends_with("is not text in UTF-8"), "{}", raw.text);
    let large = run(&scene, "read_file", json!({"path": "large"}));
    assert!(
        failed(&large).ends_with("is larger than the limit of 1000 bytes"),
        "{}",
        large.text
    );
    assert_eq!(
        done(&run(&scene, "read_file", json!({"path": "fits"}))).len(),
        1000
    );
    assert_eq!(scene.words()[..2], ["permitted by Policy", "failed"]);
}

#[test]
fn a_file_is_written_and_replaced() {
    let scene = Scene::new();
    let text = run(
        &scene,
        "write_file",
        json!({"path": "new/deep/a", "content": "one"}),
    )
    .text;
    assert_eq!(
        text,
        format!("wrote 3 bytes to `{}`", scene.work("new/deep/a").display())
    );
    assert_eq!(scene.text("new/deep/a"), "one");
    done(&run(
        &scene,
        "write_file",
        json!({"path": "new/deep/a", "content": ""}),
    ));
    assert_eq!(scene.text("new/deep/a"), "");
    let large = run(
        &scene,
        "write_file",
        json!({"path": "b", "content": "x".repeat(1001)}),
    );
    assert_eq!(
        failed(&large),
        "write_file failed: 1001 bytes are more than the limit of 1000 bytes"
    );
    assert!(!scene.is_there("b"));
}

#[test]
fn an_edit_replaces_the_one_occurrence() {
    let scene = Scene::new();
    scene.file("a", "one two two");
    let edit = |old: &str| json!({"path": "a", "old_text": old, "new_text": "X"});
    done(&run(&scene, "edit_file", edit("one")));
    assert_eq!(scene.text("a"), "X two two");
    let twice = run(&scene, "edit_file", edit("two"));
    assert!(
        failed(&twice).contains("the old text occurs more than once"),
        "{}",
        twice.text
    );
    let never = run(&scene, "edit_file", edit("three"));
    assert!(
        failed(&never).contains("the old text does not occur"),
        "{}",
        never.text
    );
    let empty = run(&scene, "edit_file", edit(""));
    assert!(failed(&empty).contains("the old text is empty"), "{}", empty.text);
    assert_eq!(scene.text("a"), "X two two");
    let missing = json!({"path": "missing", "old_text": "a", "new_text": "b"});
    assert!(failed(&run(&scene, "edit_file", missing)).starts_with("edit_file failed: "));
    assert!(!scene.is_there("missing"));
}

#[test]
fn an_edit_of_what_changed_after_the_yes_does_nothing() {
    let scene = Scene::new();
    scene.file("a", "one");
    let permit = scene.permit(
        "edit_file",
        json!({"path": "a", "old_text": "one", "new_text": "X"}),
    );
    std::fs::write(scene.work("a"), "one two").unwrap();
    assert_eq!(effects::perform(permit).unwrap_err().kind(), RefusalKind::Changed);
    assert_eq!(scene.text("a"), "one two");
    assert_eq!(scene.words(), ["permitted by Policy", "changed"]);
}

#[test]
fn names_are_deleted_and_links_are_not_followed() {
    let scene = Scene::new();
    scene.file("a", "x");
    scene.file("tree/sub/b", "x");
    std::fs::write(scene.outside("kept"), "x").unwrap();
    std::os::unix::fs::symlink(scene.outside("kept"), scene.work("link")).unwrap();
    std::os::unix::fs::symlink(scene.outside(""), scene.work("tree/out")).unwrap();
    std::fs::create_dir(scene.work("empty")).unwrap();

    done(&run(&scene, "delete_file", json!({"path": "a"})));
    done(&run(&scene, "delete_file", json!({"path": "link"})));
    done(&run(&scene, "delete_file", json!({"path": "empty"})));
    let full = run(&scene, "delete_file", json!({"path": "tree"}));
    assert!(failed(&full).contains("not empty"), "{}", full.text);
    assert!(scene.is_there("tree/sub/b"));
    let tree = run(&scene, "delete_file", json!({"path": "tree", "recursive": true}));
    assert_eq!(
        done(&tree),
        format!(
            "deleted `{}`: 2 files and 2 directories",
            scene.work("tree").display()
        )
    );
    for gone in ["a", "link", "empty", "tree"] {
        assert!(!scene.is_there(gone), "{gone}");
    }
    assert!(scene.outside("kept").metadata().is_ok());
    scene.file("single", "x");
    done(&run(
        &scene,
        "delete_file",
        json!({"path": "single", "recursive": true}),
    ));
    assert!(!scene.is_there("single"));
}

#[test]
fn a_file_is_moved_to_a_free_name_only() {
    let scene = Scene::new();
    scene.file("a", "one");
    scene.file("b", "two");
    done(&run(&scene, "move_file", json!({"from": "a", "to": "c"})));
    assert_eq!(scene.text("c"), "one");
    let permit = scene.gate.decide(
        scene.call("move_file", json!({"from": "c", "to": "b"})),
        &mut scene.approver([portcullis_gate::Behaviour::Say(
            portcullis_gate::Answer::AllowOnce,
        )]),
        &scene.cancel,
    );
    // Whether the name is taken is found out by the resolver or by the rename: never by overwriting.
    let moved = permit
        .and_then(effects::perform)
        .is_ok_and(|result| !result.is_error);
    assert!(!moved);
    assert_eq!(scene.text("b"), "two");
    assert_eq!(scene.text("c"), "one");
}

#[test]
fn directories_are_made_and_listed() {
    let scene = Scene::new();
    done(&run(&scene, "make_dir", json!({"path": "one/two"})));
    assert!(scene.work("one/two").is_dir());
    assert_eq!(
        done(&run(&scene, "list_dir", json!({"path": "one/two"}))),
        "(empty)"
    );
    scene.file("b", "x");
    scene.file("a\u{1b}[2J", "x");
    std::os::unix::fs::symlink("b", scene.work("link")).unwrap();
    let listing = "a\\u{1b}[2J\nb\nlink@\none/";
    assert_eq!(done(&run(&scene, "list_dir", json!({"path": "."}))), listing);
    assert_eq!(done(&run(&scene, "list_dir", json!({}))), listing);
    scene.file("x", "x");
    scene.file("y", "x");
    let cut = run(&scene, "list_dir", json!({}));
    assert!(
        done(&cut).ends_with("\n(more than 5 names; the rest is left out)"),
        "{}",
        cut.text
    );
}

#[rstest]
#[case::search("search", json!({"pattern": "x", "path": "."}))]
fn what_is_not_performed_here_is_left_unused(#[case] tool: &str, #[case] args: Value) {
    let scene = Scene::new();
    let refusal = effects::perform(scene.permit(tool, args)).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::UnknownTool);
    assert_eq!(
        refusal.to_string(),
        "not run: the gate does not perform this tool itself"
    );
    assert_eq!(scene.words().last().unwrap(), "unused");
}

#[test]
fn a_permit_opens_no_other_tool() {
    type Effect = fn(Permit) -> Result<ToolResult, Refusal>;
    let scene = Scene::new();
    scene.file("a", "x");
    let others: [Effect; 6] = [
        effects::write_file,
        effects::edit_file,
        effects::delete_file,
        effects::move_file,
        effects::make_dir,
        effects::list_dir,
    ];
    for other in others {
        let permit = scene.permit("read_file", json!({"path": "a"}));
        assert_eq!(other(permit).unwrap_err().kind(), RefusalKind::UnknownTool);
        assert_eq!(scene.words().last().unwrap(), "unused");
    }
    assert_eq!(scene.text("a"), "x");
}
