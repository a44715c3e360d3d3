//! Files that `find` or a list finds, and that another command is handed.

use portcullis_classify::Risk;
use rstest::rstest;
use serde_json::json;

use crate::scene::Scene;

fn scene() -> Scene {
    let scene = Scene::new();
    let files = ["a.md", "src/b.md", "sub/c.md", "secrets/.env", ".aws/credentials"];
    for name in files {
        let path = scene.path(&format!("ws/{name}"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
    scene
}

fn risk(scene: &Scene, command: &str) -> Risk {
    let call = json!({"command": command});
    scene.judge(Vec::new(), "run_command", &call).verdict.risk()
}

#[rstest]
#[case::second_action(r"find . -name '*.md' -exec cat {} \; -o -name .env -exec cat {} \;")]
#[case::list_of_actions(r"find . -name '*.md' -exec cat {} \; , -name .env -exec cat {} \;")]
#[case::action_before_or("find . -name .env -prune -print -o -name '*.md' -print | xargs cat")]
#[case::test_behind_action("find . -print -name '*.md' | xargs cat")]
#[case::link_of_git("git ls-files '*ar' | xargs grep -r key")]
#[case::star_in_git("git ls-files 's*' | xargs cat")]
#[case::top_of_git("cd sub && git ls-files ':/' | xargs cat")]
#[case::up_in_git("cd sub && git ls-files '../*' | xargs cat")]
#[case::up("cd sub && git ls-files .. | xargs cat")]
#[case::list_of_arguments("find . -name '*.md' | xargs -n 1 -a list cat")]
#[case::delimiter("find . -name '*.md' | xargs -n 1 -d m cat")]
#[case::unlisted("find . -name '*.md' | xargs -n 1 -d, cat")]
#[case::label("echo x | grep -rl --label=/home/u/.ssh/id_rsa x - | xargs cat")]
#[case::input("echo x | grep -rl x - | xargs cat")]
#[case::json("rg -l x src --json | xargs cat")]
#[case::separator("rg -l x src --path-separator . | xargs cat")]
#[case::directory_of_find("find . -type d -name .aws -exec grep -r key {} +")]
#[case::directory_to_xargs("find . -type d -name .aws | xargs -I{} cp -r {} out")]
#[case::directory_by_name("find . -name .aws -exec grep -r key {} +")]
#[case::start_itself("find .aws -name .aws -exec grep -r key {} +")]
fn asks(#[case] command: &str) {
    assert!(risk(&scene(), command) > Risk::Allow);
}

#[rstest]
#[case::find("find . -name '*.md' -exec cat {} \\;")]
#[case::find_many("find . -name '*.md' -exec cat {} +")]
#[case::find_and_print("find . -name '*.md' -exec grep -l x {} \\; -print")]
#[case::files("find src -type f -exec cat {} +")]
#[case::to_xargs("find . -name '*.md' | xargs cat")]
#[case::zero("find . -name '*.md' -print0 | xargs -0 -n 1 cat")]
#[case::pruned("find . -path ./secrets -prune -o -name '*.md' -print | xargs grep -l x")]
#[case::counted("find . -name '*.md' | xargs -P 4 -n1 wc -l")]
#[case::marked("find . -name '*.md' | xargs -I {} cat {}")]
#[case::git("git ls-files '*.md' | xargs wc -l")]
#[case::git_below("git ls-files src | xargs cat")]
#[case::grep("grep -rl x src | xargs cat")]
#[case::rg("rg -l x src | xargs cat")]
#[case::rg_many("rg -il x sub src | xargs cat")]
fn runs(#[case] command: &str) {
    assert_eq!(risk(&scene(), command), Risk::Allow);
}

#[rstest]
#[case::git("git ls-files src | xargs sort")]
#[case::grep("grep -rl x src | xargs sort")]
fn names_like_options(#[case] command: &str) {
    let scene = scene();
    assert_eq!(risk(&scene, command), Risk::Allow);
    std::fs::write(scene.path("ws/src/-oMakefile"), "x").unwrap();
    assert!(risk(&scene, command) > Risk::Allow);
}

/// Lists that the text goes through itself, in a loop or line by line.
#[rstest]
#[case("wc -l $(git ls-files src)", Risk::Allow)]
#[case("cat $(find src -name '*.rs')", Risk::Allow)]
#[case("for f in $(find src -type f); do cat \"$f\"; done", Risk::Allow)]
#[case("find src -type f | while IFS= read -r f; do cat \"$f\"; done", Risk::Allow)]
#[case(
    "find src -type f -print0 | while IFS= read -r -d '' f; do cat \"$f\"; done",
    Risk::Allow
)]
#[case(
    "while IFS= read -r f; do cat \"$f\"; done < <(find src -type f 2>/dev/null | sort)",
    Risk::Allow
)]
#[case("for f in $(find ../outside -type f); do cat \"$f\"; done", Risk::Confirm)]
#[case("for f in $(cat list); do cat \"$f\"; done", Risk::Confirm)]
#[case(
    "for f in $(git diff --name-only --no-index / x); do cat \"$f\"; done",
    Risk::Confirm
)]
#[case(
    "for f in $(git diff --name-only /etc/passwd x); do cat \"$f\"; done",
    Risk::Confirm
)]
#[case(
    "for f in $(find src -type f; echo /etc/passwd); do cat \"$f\"; done",
    Risk::Confirm
)]
#[case(
    "for f in $(find src -type f | sed s,^,/etc/,); do cat \"$f\"; done",
    Risk::Confirm
)]
#[case("for f in $(find src -type f); do cat \"/etc/$f\"; done", Risk::Confirm)]
#[case("for f in $(find src -type f 2>&1); do cat \"$f\"; done", Risk::Confirm)]
#[case("cat list | while IFS= read -r f; do cat \"$f\"; done", Risk::Confirm)]
#[case(
    "find src -type f | while IFS= read -r f; do f=/etc/passwd; cat \"$f\"; done",
    Risk::Confirm
)]
#[case(
    "find src -type f | while IFS= read -r f; do cat \"../$f\"; done",
    Risk::Confirm
)]
#[case(
    "find src -type f | while false || read -r f; do cat \"$f\"; done",
    Risk::Confirm
)]
#[case("find src -type f | (read -r f); cat \"$f\"", Risk::Confirm)]
#[case("IFS=/; find src -type f | while read -r f; do cat $f; done", Risk::Confirm)]
fn lists_are_gone_through(#[case] text: &str, #[case] expected: Risk) {
    let scene = Scene::new();
    let classifier = scene.classifier(Vec::new()).with_trusted([0]);
    let call = scene.call("run_command", &json!({"command": text}));
    assert_eq!(classifier.assess(call).verdict.risk(), expected, "{text}");
}

/// What git compares may be anywhere below, so that a link which leads out asks.
#[test]
fn what_differs_is_anywhere_below() {
    let scene = Scene::new();
    let judge = |text: &str| {
        let classifier = scene.classifier(Vec::new()).with_trusted([0]);
        let call = scene.call("run_command", &json!({"command": text}));
        classifier.assess(call).verdict.risk()
    };
    let text = "for f in $(git diff --name-only main...HEAD -- src); do head -3 \"$f\"; done";
    assert_eq!(judge(text), Risk::Confirm);
    for link in ["ws/out", "ws/near"] {
        std::fs::remove_file(scene.path(link)).unwrap();
    }
    assert_eq!(judge(text), Risk::Allow);
}

/// A name with a blank is whole between zeros, and cut again where no quotes stand around the variable.
#[test]
fn names_in_lists_are_cut() {
    let scene = Scene::new();
    std::fs::write(scene.path("ws/src/a b.rs"), "").unwrap();
    let judge = |text: &str| {
        let classifier = scene.classifier(Vec::new()).with_trusted([0]);
        let call = scene.call("run_command", &json!({"command": text}));
        classifier.assess(call).verdict.risk()
    };
    let zero =
        |word: &str| format!("find src -type f -print0 | while IFS= read -r -d '' f; do cat {word}; done");
    assert_eq!(judge(&zero("\"$f\"")), Risk::Allow);
    assert_eq!(judge(&zero("$f")), Risk::Confirm);
    assert_eq!(
        judge("find src -type f | while IFS= read -r f; do cat \"$f\"; done"),
        Risk::Confirm
    );
    assert_eq!(
        judge("for f in $(find src -type f); do cat \"$f\"; done"),
        Risk::Confirm
    );
}
