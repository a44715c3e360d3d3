use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{TestBox, call};
use crate::terminal::Sitting;

/// The end of the question.
const PROMPT: &str = "> ";

fn scene() -> TestBox {
    let test = TestBox::new();
    test.write("work/build/cache/x", "x");
    test.write("work/notes.md", "notes");
    let delete = call(
        "1",
        "delete_file",
        json!({"path": "build/cache", "recursive": true}),
    );
    test.write("delete.jsonl", &delete);
    test
}

fn sit(test: &TestBox, typed_ahead: &str) -> Sitting {
    Sitting::start(test, &["call", "../delete.jsonl", "--json"], typed_ahead)
}

fn records(test: &TestBox) -> Vec<(String, String)> {
    let shown = test.run(&["log", "show", "--json"], "");
    shown.assert_code(0);
    test.run(&["log", "verify"], "").assert_code(0);
    let word = |record: &Value, members: &[&str]| {
        members
            .iter()
            .find_map(|member| record[member].as_str())
            .unwrap_or("-")
            .to_owned()
    };
    shown
        .json()
        .iter()
        .map(|record| {
            (
                word(record, &["kind"]),
                word(record, &["refusal", "decision", "outcome"]),
            )
        })
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected
        .iter()
        .map(|(kind, word)| ((*kind).to_owned(), (*word).to_owned()))
        .collect()
}

#[test]
fn allowed_once_it_is_deleted_and_recorded() {
    let test = scene();
    let mut sitting = sit(&test, "");
    sitting.wait_for("build/cache").wait_for(PROMPT).type_keys("a\n");
    let (code, lines, screen) = sitting.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(
        (&lines[0]["call"], &lines[0]["is_error"]),
        (&json!("1"), &json!(false))
    );
    assert_eq!(lines[0]["refusal"], Value::Null);
    assert!(!test.work().join("build/cache").exists());
    assert!(test.work().join("build").exists(), "and nothing else");
    assert_eq!(
        records(&test),
        pairs(&[("asked", "-"), ("decided", "permitted"), ("finished", "done")])
    );
}

#[rstest]
#[case::no("n\n")]
#[case::enter("\n")]
#[case::yes_is_not_the_word("yes\n")]
#[case::too_much("aa\n")]
fn anything_else_is_a_no(#[case] keys: &str) {
    let test = scene();
    let mut sitting = sit(&test, "");
    sitting.wait_for(PROMPT).type_keys(keys);
    let (code, lines, screen) = sitting.end();
    assert_eq!(code, Some(1), "{screen}");
    assert_eq!(lines[0]["is_error"], true);
    assert_eq!(lines[0]["refusal"], "denied_by_human", "{screen}");
    assert!(test.work().join("build/cache/x").exists());
    assert_eq!(
        records(&test),
        pairs(&[("asked", "-"), ("decided", "denied_by_human")])
    );
}

#[test]
fn what_was_typed_ahead_does_not_count() {
    let test = scene();
    let mut sitting = sit(&test, "a\na\n");
    sitting.wait_for(PROMPT).type_keys("n\n");
    let (code, lines, screen) = sitting.end();
    assert_eq!(code, Some(1), "{screen}");
    assert_eq!(lines[0]["refusal"], "denied_by_human");
    assert!(test.work().join("build/cache/x").exists());
}

#[test]
fn silence_is_no() {
    let test = scene();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\n[approval]\ndeadline_seconds = 1\n",
    );
    let mut sitting = sit(&test, "");
    sitting.wait_for(PROMPT);
    let (code, lines, screen) = sitting.end();
    assert_eq!(code, Some(1), "{screen}");
    assert_eq!(lines[0]["refusal"], "timeout");
    assert!(test.work().join("build/cache/x").exists());
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let test = scene();
    let outcome = test.run(&["call", "../delete.jsonl", "--json"], "a\n");
    outcome.assert_code(1);
    let line = &outcome.json()[0];
    assert_eq!(
        (&line["is_error"], &line["refusal"]),
        (&json!(true), &json!("no_approver"))
    );
    assert!(line["text"].as_str().unwrap().contains("nobody to ask"), "{line}");
    assert!(test.work().join("build/cache/x").exists());
    assert_eq!(
        records(&test),
        pairs(&[("asked", "-"), ("decided", "no_approver")])
    );
}

#[test]
fn allowed_calls_run_and_the_model_gets_their_results() {
    let test = scene();
    let calls = [
        call("1", "read_file", json!({"path": "notes.md"})),
        call(
            "2",
            "write_file",
            json!({"path": "new/deep/x", "content": "hello"}),
        ),
        call(
            "3",
            "edit_file",
            json!({"path": "notes.md", "old_text": "notes", "new_text": "words"}),
        ),
        call("4", "list_dir", json!({"path": "."})),
    ];
    let outcome = test.run(&["call", "-", "--json"], calls.concat());
    for line in outcome.json() {
        assert_eq!(line["refusal"], Value::Null, "{line}");
    }
    outcome.assert_code(0);
    assert!(outcome.json()[0]["text"].as_str().unwrap().contains("notes"));
    assert_eq!(
        std::fs::read_to_string(test.work().join("new/deep/x")).unwrap(),
        "hello"
    );
    assert!(outcome.json()[3]["text"].as_str().unwrap().contains("build"));
}

#[rstest]
#[case::anothers_tool(call("1", "Bash", json!({"command": "touch executed"})), "unknown_tool")]
#[case::no_call("junk\n".to_owned(), "bad_arguments")]
#[case::bad_arguments(call("1", "write_file", json!({"path": "executed"})), "bad_arguments")]
fn what_cannot_be_done_here_is_refused_with_a_true_reason(#[case] input: String, #[case] refusal: &str) {
    let test = scene();
    let outcome = test.run(&["call", "-", "--json"], input);
    outcome.assert_code(1);
    assert_eq!(outcome.json()[0]["refusal"], refusal);
    assert!(!test.work().join("executed").exists());
}

#[test]
fn a_command_is_run_where_it_was_judged_and_its_end_is_told() {
    let test = scene();
    let input = [
        call(
            "1",
            "run_command",
            json!({"command": "touch made && ls notes.md"}),
        ),
        call(
            "2",
            "run_command",
            json!({"command": "grep -q nothing-like-it notes.md"}),
        ),
    ]
    .concat();
    let outcome = test.run(&["call", "-", "--json"], input);
    let lines = outcome.json();
    assert_eq!(lines[0]["text"], "notes.md");
    assert_eq!(
        lines[1],
        json!({"call": "2", "is_error": true, "text": "(exit code 1)", "refusal": null})
    );
    assert!(test.work().join("made").exists());
}

#[test]
fn one_refusal_does_not_stop_the_session() {
    let test = scene();
    let calls = [
        call("1", "teleport", json!({})),
        call("2", "write_file", json!({"path": "after", "content": ""})),
    ];
    test.run(&["call", "-"], calls.concat()).assert_code(1);
    assert!(test.work().join("after").exists());
}

#[test]
fn under_a_broken_policy_everything_asks_with_the_line_as_the_reason() {
    let test = scene();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\npresett = \"careful\"\n",
    );
    let read = call("1", "read_file", json!({"path": "notes.md"}));
    let outcome = test.run(&["call", "-", "--json"], &read);
    outcome.assert_code(1);
    assert_eq!(outcome.json()[0]["refusal"], "no_approver");
    assert!(
        outcome.stderr.contains("unknown key `presett`"),
        "{}",
        outcome.stderr
    );

    test.write("read.jsonl", &read);
    let mut sitting = Sitting::start(&test, &["call", "../read.jsonl", "--json"], "");
    sitting
        .wait_for("configuration broken at line 2: unknown key `presett`")
        .wait_for(PROMPT)
        .type_keys("a\n");
    assert_eq!(sitting.end().0, Some(0));
}

#[test]
fn a_log_that_cannot_be_written_stops_before_anything_runs() {
    let test = scene();
    let write = call("1", "write_file", json!({"path": "executed", "content": ""}));
    let outcome = test.run(&["call", "-", "--log", "build"], write);
    outcome.assert_code(5);
    assert!(outcome.stderr.contains("audit log"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("\nhint: "), "{}", outcome.stderr);
    assert!(!test.work().join("executed").exists());
}

#[test]
fn the_log_is_where_the_flag_or_the_policy_says() {
    let test = scene();
    let read = call("1", "read_file", json!({"path": "notes.md"}));
    test.run(&["call", "-", "--log", "../flag.jsonl"], &read)
        .assert_code(0);
    assert!(test.root().join("flag.jsonl").exists());
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\n[audit]\npath = \"~/kept/log.jsonl\"\n",
    );
    test.run(&["call", "-"], &read).assert_code(0);
    assert!(test.home().join("kept/log.jsonl").exists());
    assert!(!test.log().exists());
}

#[test]
fn when_nobody_reads_the_results_the_rest_does_not_run() {
    let test = scene();
    let first = call("1", "read_file", json!({"path": "notes.md"})).repeat(3);
    let last = call("2", "write_file", json!({"path": "after", "content": ""}));
    test.write("calls.jsonl", &format!("{first}{last}"));
    let mut child = test.command(&["call", "../calls.jsonl"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"");
    assert!(!test.work().join("after").exists());
}
