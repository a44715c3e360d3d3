use std::fs;

use serde_json::json;

use crate::harness::{TestBox, call};

fn recorded() -> TestBox {
    let test = TestBox::new();
    let calls = [
        call("1", "write_file", json!({"path": "a", "content": "x"})),
        call("2", "delete_file", json!({"path": "a"})),
    ];
    test.run(&["call", "-"], calls.concat()).assert_code(1);
    test
}

#[test]
fn what_was_decided_and_what_came_of_it_is_shown() {
    let test = recorded();
    let shown = test.run(&["log", "show"], "");
    shown.assert_code(0);
    let words = ["permitted", "done", "asked", "refused"];
    assert_eq!(shown.stdout.lines().count(), words.len(), "{}", shown.stdout);
    for (line, word) in shown.stdout.lines().zip(words) {
        assert!(line.contains(word), "{word}: {line}");
    }
    let raw = test.run(&["log", "show", "--json"], "");
    raw.assert_code(0);
    let records = raw.json();
    assert_eq!(records[3]["refusal"], "no_approver");
    let lines: Vec<serde_json::Value> = fs::read_to_string(test.log())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records, lines);
}

#[test]
fn a_whole_log_verifies_and_a_changed_one_does_not() {
    let test = recorded();
    let whole = test.run(&["log", "verify"], "");
    whole.assert_code(0);
    assert!(whole.stdout.starts_with("whole: 4 records"), "{}", whole.stdout);

    let text = fs::read_to_string(test.log()).unwrap();
    fs::write(test.log(), text.replacen("no_approver", "policy", 1)).unwrap();
    let broken = test.run(&["log", "verify"], "");
    broken.assert_code(1);
    assert!(
        broken
            .stdout
            .starts_with("broken: 3 records are good, then line 4: "),
        "{}",
        broken.stdout
    );
    let data = test.run(&["log", "verify", "--json"], "");
    data.assert_code(1);
    assert_eq!(data.json()[0]["fault"]["line"], 4);
    assert_eq!(data.json()[0]["whole"], false);
    test.run(&["log", "show"], "").assert_code(1);
}

#[test]
fn open_decisions_and_torn_ends_are_told() {
    let test = recorded();
    let text = fs::read_to_string(test.log()).unwrap();
    let first = text.lines().next().unwrap();
    fs::write(test.log(), format!("{first}\n{{\"v\":1,")).unwrap();
    let outcome = test.run(&["log", "verify"], "");
    assert!(outcome.stdout.contains("\nopen: "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\ntorn: "), "{}", outcome.stdout);
}

#[test]
fn a_log_can_be_named_and_a_missing_one_is_an_error() {
    let test = recorded();
    fs::rename(test.log(), test.work().join("kept.jsonl")).unwrap();
    test.run(&["log", "verify", "kept.jsonl"], "").assert_code(0);
    let missing = test.run(&["log", "verify"], "");
    missing.assert_code(3);
    assert!(missing.stderr.contains("\nhint: "), "{}", missing.stderr);
    assert!(!test.log().exists(), "looking makes no log");
}
