//! Decisions on trust, and what they open.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use rstest::rstest;

use crate::harness::{TestBox, call};
use crate::terminal::Sitting;

fn store(test: &TestBox) -> PathBuf {
    test.home().join(".config/portcullis/trust.json")
}

/// A project with a file that needs trust.
fn project() -> TestBox {
    let test = TestBox::new();
    test.run(&["init", "--project"], "").assert_code(0);
    test
}

fn status(test: &TestBox, code: i32) -> (bool, String) {
    let outcome = test.run(&["trust", "status", "--json"], "");
    outcome.assert_code(code);
    let line = &outcome.json()[0];
    (
        line["trusted"].as_bool().unwrap(),
        line["step"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn a_project_is_untrusted_until_somebody_says_yes_and_again_after_forget() {
    let test = project();
    assert_eq!(status(&test, 1), (false, "no_interface".to_owned()));
    test.run(&["trust", "yes"], "").assert_code(0);
    assert_eq!(status(&test, 0), (true, "saved".to_owned()));
    let listed = test.run(&["trust", "list", "--json"], "");
    assert_eq!(listed.json()[0]["directory"], test.work().to_str().unwrap());
    test.run(&["trust", "no"], "").assert_code(0);
    assert_eq!(status(&test, 1), (false, "saved".to_owned()));
    test.run(&["trust", "forget"], "").assert_code(0);
    assert_eq!(status(&test, 1), (false, "no_interface".to_owned()));
    assert_eq!(test.run(&["trust", "list"], "").stdout, "");
}

#[test]
fn a_status_says_which_files_it_is_about() {
    let test = project();
    test.write("work/CLAUDE.md", "");
    test.write("work/.mcp.json", "{}");
    let outcome = test.run(&["trust", "status"], "");
    outcome.assert_code(1);
    for part in [
        ": not trusted: nobody has decided about it yet",
        ".portcullis` (portcullis)",
        ".mcp.json` (claude-code)",
        "read anyway",
        "CLAUDE.md`",
    ] {
        assert!(outcome.stdout.contains(part), "{part} in {}", outcome.stdout);
    }
    let only = test.run(&["trust", "status", "--profile", "pi"], "");
    only.assert_code(0);
    assert!(only.stdout.contains("nothing in the project needs trust"));
}

fn verdict_of_a_hook(test: &TestBox) -> (String, String) {
    let args = serde_json::json!({"path": ".git/hooks/x", "content": ""});
    let outcome = test.run(&["check", "-", "--json"], call("1", "write_file", args));
    outcome.assert_code(0);
    (
        outcome.json()[0]["verdict"].as_str().unwrap().to_owned(),
        outcome.stderr,
    )
}

#[test]
fn a_projects_policy_is_read_once_it_is_trusted_and_only_as_it_was_then() {
    let test = project();
    assert_eq!(verdict_of_a_hook(&test).0, "confirm");
    test.run(&["trust", "yes"], "").assert_code(0);
    assert_eq!(verdict_of_a_hook(&test), ("deny".to_owned(), String::new()));
    test.write("work/.portcullis/policy.toml", "version = 1\n");
    let (verdict, said) = verdict_of_a_hook(&test);
    assert_eq!(verdict, "confirm");
    assert!(said.contains("has changed since"), "{said}");
    assert_eq!(status(&test, 1), (false, "changed".to_owned()));
    test.run(&["trust", "yes"], "").assert_code(0);
    assert_eq!(verdict_of_a_hook(&test), ("confirm".to_owned(), String::new()));
}

#[test]
fn the_parent_can_be_trusted_for_all_that_is_in_it() {
    let test = project();
    test.run(&["trust", "yes", "--parent"], "").assert_code(0);
    let listed = test.run(&["trust", "list", "--json"], "");
    assert_eq!(listed.json()[0]["directory"], test.root().to_str().unwrap());
    assert_eq!(status(&test, 0), (true, "saved".to_owned()));
    test.run(&["trust", "forget", "--parent"], "").assert_code(0);
    assert_eq!(status(&test, 1).1, "no_interface");
}

#[test]
fn what_is_taken_back_and_what_decides_then_is_said() {
    let test = project();
    let said = |args: &[&str]| {
        let outcome = test.run(args, "");
        outcome.assert_code(0);
        (outcome.stdout, outcome.stderr)
    };
    assert!(
        said(&["trust", "forget"])
            .0
            .ends_with(": nothing was saved for it\n")
    );
    said(&["trust", "yes", "--parent"]);
    said(&["trust", "no"]);
    let (told, note) = said(&["trust", "forget"]);
    assert!(told.ends_with(": forgotten\n"), "{told}");
    assert!(note.contains("`yes` is saved for"), "{note}");
    let data = test.run(&["trust", "forget", "--json"], "").json();
    assert_eq!(data[0]["forgotten"], false);
    assert_eq!(data[0]["decides"]["trusted"], true);
}

#[test]
fn a_decision_is_about_the_place_and_not_about_its_spelling() {
    let test = project();
    std::os::unix::fs::symlink("work", test.root().join("link")).unwrap();
    test.run(&["trust", "yes", "../link/."], "").assert_code(0);
    assert_eq!(status(&test, 0), (true, "saved".to_owned()));
}

#[rstest]
#[case::rubbish("{", 0o600)]
#[case::another_shape("[]", 0o600)]
#[case::written_by_others("{}", 0o666)]
fn a_store_that_cannot_be_used_trusts_nobody_and_stays(#[case] text: &str, #[case] mode: u32) {
    let test = project();
    test.write("home/.config/portcullis/trust.json", text);
    fs::set_permissions(store(&test), fs::Permissions::from_mode(mode)).unwrap();
    assert_eq!(status(&test, 1), (false, "store_unusable".to_owned()));
    let shown = test.run(&["trust", "status"], "").stderr;
    assert!(shown.contains("hint: "), "{shown}");
    for action in ["yes", "no", "forget"] {
        let outcome = test.run(&["trust", action], "");
        outcome.assert_code(3);
        assert!(outcome.stderr.contains("hint: "), "{}", outcome.stderr);
    }
    test.run(&["trust", "list"], "").assert_code(3);
    let (verdict, said) = verdict_of_a_hook(&test);
    assert_eq!(verdict, "confirm", "the project's file is not read");
    assert!(said.contains("trust.json"), "{said}");
    assert_eq!(fs::read_to_string(store(&test)).unwrap(), text);
}

#[rstest]
#[case::no_terminal(&["trust", "ask"], "trust yes")]
#[case::no_directory(&["trust", "yes", "nowhere"], "a directory that exists")]
#[case::a_file(&["trust", "yes", ".portcullis/policy.toml"], "a directory that exists")]
#[case::no_profile(&["trust", "status", "--profile", "vim"], "claude-code")]
fn what_cannot_be_done_is_said_with_a_hint(#[case] args: &[&str], #[case] said: &str) {
    let outcome = project().run(args, "");
    outcome.assert_code(2);
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
}

#[rstest]
#[case::trust("1\n", 0, true)]
#[case::refuse("4\n", 1, true)]
#[case::this_time("3\n", 0, false)]
#[case::a_word("yes\n", 1, false)]
#[case::nothing("\n", 1, false)]
fn the_menu_takes_a_number(#[case] typed: &str, #[case] code: i32, #[case] saved: bool) {
    let test = project();
    let mut sitting = Sitting::start(&test, &["trust", "ask"], "1\n1\n");
    sitting.wait_for("leave it untrusted: ").type_keys(typed);
    let ended = sitting.end();
    assert_eq!(
        ended.0,
        Some(code),
        "what was typed before is no answer: {ended:?}"
    );
    assert_eq!(store(&test).exists(), saved);
}

#[test]
fn for_a_session_the_answer_is_given_and_nothing_is_saved() {
    let test = project();
    for (action, trusted) in [("yes", true), ("no", false)] {
        let outcome = test.run(&["trust", action, "--session", "--json"], "");
        outcome.assert_code(0);
        let line = &outcome.json()[0];
        assert_eq!(line["trusted"], trusted);
        assert_eq!((&line["step"], &line["saved"]), (&"asked".into(), &false.into()));
        assert!(!store(&test).exists());
    }
    test.run(&["trust", "yes", "--session", "--parent"], "")
        .assert_code(2);
    let mut sitting = Sitting::start(&test, &["trust", "ask", "--session"], "");
    sitting.wait_for("2  do not trust it this time").type_keys("1\n");
    assert_eq!(sitting.end().0, Some(0));
    assert!(!store(&test).exists());
    assert!(!status(&test, 1).0, "another session");
}

/// One kind of trouble has one code, whichever command meets it.
#[rstest]
fn what_the_system_refuses_is_a_fault(#[values("yes", "no", "forget", "list")] action: &str) {
    let test = project();
    test.write("home/.config", "not a directory");
    let outcome = test.run(&["trust", action], "");
    outcome.assert_code(5);
    assert!(outcome.stderr.contains("hint: "), "{}", outcome.stderr);
}

#[test]
fn a_status_says_what_it_means_and_what_to_do() {
    let test = project();
    let undecided = test.run(&["trust", "status"], "");
    assert!(
        undecided
            .stdout
            .contains("not trusted: nobody has decided about it yet"),
        "{undecided:?}"
    );
    assert!(
        undecided
            .stderr
            .contains("`portcullis trust yes` trusts them as they are now"),
        "{undecided:?}"
    );
    test.run(&["trust", "yes"], "").assert_code(0);
    test.write("work/.portcullis/policy.toml", "version = 1\n# another\n");
    let changed = test.run(&["trust", "status"], "");
    assert!(
        changed.stdout.contains("but what was trusted has changed since"),
        "{changed:?}"
    );
    assert!(
        changed.stderr.contains("hint: look at what changed"),
        "{changed:?}"
    );
}
