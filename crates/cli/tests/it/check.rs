use std::fs;
use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{Outcome, TestBox, call};

fn scene() -> TestBox {
    let test = TestBox::new();
    test.write("work/notes.md", "notes");
    test.write("work/build/cache/x", "x");
    test.write("home/.ssh/id", "secret");
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\n[zones]\ndeny_read = [\"~/.ssh\"]\n",
    );
    test.write("outside/x", "x");
    std::os::unix::fs::symlink(test.home().join(".ssh"), test.work().join("keys")).unwrap();
    test
}

fn judge(test: &TestBox, stdin: impl AsRef<[u8]>) -> Vec<Value> {
    let outcome = test.run(&["check", "-", "--json"], stdin);
    outcome.assert_code(0);
    assert_eq!(outcome.stderr, "");
    outcome.json()
}

#[test]
fn a_line_says_verdict_effects_targets_and_causes() {
    let test = scene();
    let lines = judge(
        &test,
        [
            call("read", "read_file", json!({"path": "notes.md"})),
            call(
                "delete",
                "delete_file",
                json!({"path": "build/cache", "recursive": true}),
            ),
            call("link", "read_file", json!({"path": "keys/id"})),
        ]
        .concat(),
    );
    let work = test.work();
    assert_eq!(
        lines[0],
        json!({
            "call": "read", "verdict": "allow", "refusal": null,
            "effects": [{"kind": "read", "target": work.join("notes.md"), "operand": "notes.md", "risk": "allow"}],
            "causes": [{"rule": "inside.read", "layer": "built-in", "text": "reads inside the workspace"}],
        })
    );
    assert_eq!(
        lines[1],
        json!({
            "call": "delete", "verdict": "confirm", "refusal": null,
            "effects": [{"kind": "delete", "target": work.join("build/cache"), "operand": "build/cache",
                "risk": "confirm"}],
            "causes": [{"rule": "delete", "layer": "built-in", "text": "deletes what cannot be brought back"}],
        })
    );
    assert_eq!(
        (&lines[2]["verdict"], &lines[2]["refusal"]),
        (&json!("deny"), &json!("policy"))
    );
    assert_eq!(lines[2]["causes"][0]["layer"], "user");
    let members: Vec<&String> = lines[2].as_object().unwrap().keys().collect();
    assert_eq!(members, ["call", "causes", "effects", "refusal", "verdict"]);
}

#[rstest]
#[case::unknown_tool(r#"{"id": "a", "tool": "teleport", "args": {}}"#, json!("a"), "unknown_tool")]
#[case::missing_operand(r#"{"id": "a", "tool": "read_file", "args": {}}"#, json!("a"), "bad_arguments")]
#[case::wrong_type(r#"{"id": "a", "tool": "read_file", "args": {"path": 3}}"#, json!("a"), "bad_arguments")]
#[case::no_tool(r#"{"id": "a", "args": {}}"#, json!("a"), "bad_arguments")]
#[case::unknown_member(r#"{"id": "a", "tool": "read_file", "args": {}, "workspace": "/"}"#, json!("a"), "bad_arguments")]
#[case::twice(r#"{"id": "a", "tool": "read_file", "args": {"path": "x", "path": "y"}}"#, json!("a"), "bad_arguments")]
#[case::no_json("rm -rf /", json!(null), "bad_arguments")]
#[case::cut(r#"{"id": "a", "tool""#, json!(null), "bad_arguments")]
#[case::a_list("[]", json!(null), "bad_arguments")]
fn what_is_not_a_fitting_call_is_denied_and_judged(
    #[case] text: &str,
    #[case] id: Value,
    #[case] refusal: &str,
) {
    let test = scene();
    let good = call("good", "read_file", json!({"path": "notes.md"}));
    let lines = judge(&test, format!("{good}\n{text}\n{good}"));
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert_eq!(
        (&lines[0]["verdict"], &lines[2]["verdict"]),
        (&json!("allow"), &json!("allow"))
    );
    assert_eq!(lines[1]["call"], id);
    assert_eq!(
        (&lines[1]["verdict"], &lines[1]["refusal"]),
        (&json!("deny"), &json!(refusal))
    );
    assert!(!lines[1]["causes"].as_array().unwrap().is_empty());
}

#[test]
fn a_broken_line_is_named_by_its_number() {
    let lines = judge(&scene(), "\n\n  \njunk\n");
    assert_eq!(lines.len(), 1);
    let text = lines[0]["causes"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("line 4 of the input is not a call: "), "{text}");
}

#[test]
fn bytes_that_are_no_text_are_one_denied_line() {
    let lines = judge(&scene(), b"{\"id\": \"\xff\"}\n\0\n");
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["refusal"] == "bad_arguments"));
}

#[test]
fn one_call_may_have_many_lines() {
    let text = "\n{\n  \"id\": \"1\",\n  \"tool\": \"read_file\",\n  \"args\": {\"path\": \"notes.md\"}\n}\n";
    let lines = judge(&scene(), text);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["verdict"], "allow");
}

#[rstest]
#[case("claude-code", json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Read",
    "tool_input": {"file_path": "NOTES"}, "tool_use_id": "t1"}), "t1")]
#[case("pi", json!({"type": "tool_call", "toolName": "read", "toolCallId": "c1", "input": {"path": "NOTES"}}), "c1")]
fn recorded_shapes_are_read(#[case] from: &str, #[case] mut event: Value, #[case] id: &str) {
    let test = scene();
    let notes = test.work().join("notes.md");
    for member in ["tool_input", "input"] {
        if let Some(path) = event.get_mut(member).and_then(Value::as_object_mut) {
            path.values_mut().for_each(|value| *value = json!(notes));
        }
    }
    let outcome = test.run(&["check", "-", "--json", "--from", from], event.to_string());
    outcome.assert_code(0);
    let line = &outcome.json()[0];
    assert_eq!(
        (&line["call"], &line["verdict"]),
        (&json!(id), &json!("allow")),
        "{line:#}"
    );
}

#[test]
fn flags_set_the_scene() {
    let test = scene();
    let outside = test.root().join("outside");
    let args = |extra: &[&str]| -> Value {
        let mut args = vec!["check", "-", "--json"];
        args.extend(extra);
        let outcome = test.run(&args, call("1", "read_file", json!({"path": "x"})));
        outcome.assert_code(0);
        outcome.json()[0].clone()
    };
    let outside = outside.to_str().unwrap();
    assert_eq!(
        args(&["--workspace", outside])["verdict"],
        "allow",
        "cwd is the first workspace"
    );
    assert_eq!(
        args(&["--cwd", outside])["verdict"],
        "confirm",
        "a working directory is no workspace"
    );
    assert_eq!(
        args(&[
            "--workspace",
            ".",
            "--workspace",
            "../outside",
            "--cwd",
            "../outside"
        ])["verdict"],
        "allow"
    );

    let key = call("1", "read_file", json!({"path": "~/.ssh/id"}));
    let elsewhere = test.run(&["check", "-", "--json", "--home", outside], &key);
    elsewhere.assert_code(0);
    let target = elsewhere.json()[0]["effects"][0]["target"].clone();
    assert!(
        target.is_null() || target.as_str().unwrap().starts_with(outside),
        "{target}"
    );

    test.write("strict.toml", "version = 1\npreset = \"careful\"\n");
    let write = call("1", "write_file", json!({"path": "new", "content": ""}));
    let strict = test.run(&["check", "-", "--json", "--policy", "../strict.toml"], &write);
    strict.assert_code(0);
    assert_eq!(strict.json()[0]["verdict"], "confirm");
}

#[test]
fn a_calls_own_working_directory_wins_and_brings_no_workspace() {
    let test = scene();
    let outside = test.root().join("outside");
    let text = json!({"id": "1", "tool": "read_file", "args": {"path": "x"}, "cwd": outside});
    let line = &judge(&test, text.to_string())[0];
    assert_eq!(line["verdict"], "confirm");
    assert_eq!(line["effects"][0]["target"], json!(outside.join("x")));
}

#[test]
fn the_gates_own_files_are_out_of_reach() {
    let test = scene();
    test.write("work/.portcullis/policy.toml", "version = 1\n");
    test.write("home/.local/state/portcullis/audit.jsonl", "");
    test.write("home/.local/state/portcullis/audit.jsonl.key", "0123");
    test.write("mine.toml", "version = 1\n");
    let state = "~/.local/state/portcullis";
    let cases = [
        (
            "write_file",
            json!({"path": "~/.config/portcullis/policy.toml", "content": ""}),
        ),
        (
            "write_file",
            json!({"path": "~/.config/portcullis/new.toml", "content": ""}),
        ),
        ("delete_file", json!({"path": "~/.config", "recursive": true})),
        ("move_file", json!({"from": "~/.config/portcullis", "to": "x"})),
        (
            "write_file",
            json!({"path": ".portcullis/policy.toml", "content": ""}),
        ),
        ("delete_file", json!({"path": ".", "recursive": true})),
        ("write_file", json!({"path": "../mine.toml", "content": ""})),
        ("read_file", json!({"path": format!("{state}/audit.jsonl.key")})),
        ("read_file", json!({"path": format!("{state}/audit.jsonl")})),
        (
            "write_file",
            json!({"path": format!("{state}/audit.jsonl"), "content": ""}),
        ),
        ("delete_file", json!({"path": state, "recursive": true})),
    ];
    let input: String = cases
        .iter()
        .map(|(tool, args)| call("1", tool, args.clone()))
        .collect();
    let outcome = test.run(&["check", "-", "--json", "--policy", "../mine.toml"], input);
    outcome.assert_code(0);
    for (line, case) in outcome.json().iter().zip(&cases) {
        assert_eq!(line["verdict"], "deny", "{case:?}: {line:#}");
        assert_eq!(line["refusal"], "policy", "{case:?}: {line:#}");
    }
}

#[test]
fn nothing_is_written() {
    let test = scene();
    fs::remove_file(test.policy()).unwrap();
    let before = tree(&test.root());
    let calls = [
        call("1", "write_file", json!({"path": "new/x", "content": "x"})),
        call("2", "delete_file", json!({"path": "notes.md"})),
        call("3", "run_command", json!({"command": "touch executed"})),
    ];
    judge(&test, calls.concat());
    assert_eq!(tree(&test.root()), before);
}

fn tree(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let facts = entry.metadata().unwrap();
            found.push(format!(
                "{:?} {:?} {}",
                entry.path(),
                facts.modified().unwrap(),
                facts.len()
            ));
            if facts.is_dir() {
                open.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[rstest]
#[case::no_file(&["check", "missing.jsonl"], 3, "`missing.jsonl` cannot be read")]
#[case::a_directory(&["check", "build"], 3, "`build` cannot be read")]
#[case::no_policy(&["check", "-", "--policy", "missing.toml"], 4, "it does not exist")]
#[case::no_workspace(&["check", "-", "--workspace", "missing"], 2, "workspace")]
#[case::bad_flag(&["check", "-", "--trust", "maybe"], 2, "--trust")]
fn an_error_has_a_code_a_sentence_and_a_hint(
    #[case] args: &[&str],
    #[case] code: i32,
    #[case] sentence: &str,
) {
    let outcome = scene().run(args, "");
    outcome.assert_code(code);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains(sentence), "{}", outcome.stderr);
    let hinted = ["hint: ", "help: ", "possible values", "For more information"];
    assert!(
        hinted.iter().any(|word| outcome.stderr.contains(word)),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_broken_policy_is_shown_where_it_breaks() {
    let test = scene();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\npresett = \"careful\"\n",
    );
    let outcome = test.run(&["check", "-"], "");
    outcome.assert_code(4);
    assert_eq!(outcome.stdout, "");
    for part in [
        "unknown key `presett`",
        "policy.toml:2:1",
        "did you mean `preset`?",
    ] {
        assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
    }
    assert!(
        !outcome.stderr.contains('\u{1b}'),
        "no colour where nobody can show it"
    );
}

#[test]
fn a_broken_project_policy_stops_only_where_it_is_read() {
    let test = scene();
    test.write(
        "work/.portcullis/policy.toml",
        "version = 1\n[audit]\npath = \"/tmp/x\"\n",
    );
    test.run(&["check", "-"], "").assert_code(0);
    let read = test.run(&["check", "-", "--trust", "yes"], "");
    read.assert_code(4);
    assert!(
        read.stderr.contains("a project may not set `audit`"),
        "{}",
        read.stderr
    );
}

#[test]
fn people_read_a_block_for_each_call() {
    let test = scene();
    let calls = [
        call("1", "read_file", json!({"path": "notes.md"})),
        call("2\u{1b}[31m", "teleport", json!({})),
    ];
    let outcome = test.run(&["check", "-"], calls.concat());
    outcome.assert_code(0);
    let expected = format!(
        "allow  read_file  [1]\n    allow: read {}/notes.md  (written `notes.md`)\n    \
         because reads inside the workspace  [inside.read, built-in]\n\n\
         deny (unknown_tool)  teleport  [2\\u{{1b}}[31m]\n    \
         because no tool named `teleport` is registered  [tool.unknown, built-in]\n\n",
        test.work().display()
    );
    assert_eq!(outcome.stdout, expected);
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let test = scene();
    let many = call("1", "read_file", json!({"path": "notes.md"})).repeat(2000);
    test.write("many.jsonl", &many);
    let mut child = test.command(&["check", "../many.jsonl"]).spawn().unwrap();
    drop(child.stdout.take());
    drop(child.stdin.take());
    let outcome = child.wait_with_output().unwrap();
    assert_eq!(outcome.status.code(), Some(0));
    assert_eq!(outcome.stderr, b"");
}

#[test]
fn the_same_input_gives_the_same_output() {
    let test = scene();
    let calls = call("1", "delete_file", json!({"path": "build", "recursive": true})).repeat(20);
    let run = || -> Outcome { test.run(&["check", "-", "--json"], &calls) };
    let (one, two) = (run(), run());
    one.assert_code(0);
    assert_eq!(one.stdout, two.stdout);
}

#[test]
fn colour_says_nothing_of_its_own() {
    let test = scene();
    let coloured = |name: &str, value: &str| {
        let mut command = test.command(&["check", "-"]);
        command.env(name, value);
        let outcome = Outcome::of(command, call("1", "teleport", json!({})).as_bytes());
        outcome.assert_code(0);
        outcome.stdout
    };
    let (plain, colour) = (coloured("NO_COLOR", "1"), coloured("CLICOLOR_FORCE", "1"));
    assert!(
        colour.starts_with("\u{1b}[1m\u{1b}[31mdeny\u{1b}[0m"),
        "{colour:?}"
    );
    assert_eq!(
        colour.replace("\u{1b}[1m\u{1b}[31m", "").replace("\u{1b}[0m", ""),
        plain
    );
}

/// What is no file is a command, and is explained: each simple command, its effects, their causes.
#[test]
fn a_bare_command_is_explained() {
    let test = TestBox::new();
    let told = test.run(
        &[
            "check",
            "cd src && sudo rm -rf ~/; curl -u me:hunter2 http://x.example",
        ],
        "",
    );
    let text = told.assert_code(0).stdout.clone();
    for part in [
        "deny (policy)",
        "1. cd src",
        "2. sudo rm -rf ~/  (if what stands before it succeeds)",
        "4. rm -rf ~/  (run by 2)",
        "because deletes the home directory: ",
        "(command 4, `rm`: ",
        "[ruin, built-in]",
        "curl -u me:***",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains("hunter2"), "{text}");
    let lines = test.run(&["check", "ls; frobnicate x", "--json"], "");
    let line = &lines.assert_code(0).json()[0];
    assert_eq!(line["verdict"], "confirm");
    assert_eq!(line["commands"][1]["text"], "frobnicate x");
    let about = |cause: &&Value| cause["rule"] == "command.unknown";
    let cause = line["causes"].as_array().unwrap().iter().find(about).unwrap();
    let effect = &line["effects"][usize::try_from(cause["effect"].as_u64().unwrap()).unwrap()];
    assert_eq!(effect["command"], 2);
    test.run(&["check", "--command", "build"], "").assert_code(0);
}
