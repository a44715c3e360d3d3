//! Secrets that commands are told are in nothing that the program prints or writes.

use serde_json::json;

use crate::harness::{TestBox, call};

const SPELLINGS: &str = include_str!("../../../gate/tests/gate/spellings.txt");
const SECRET: &str = "Hunter2xq9";

fn commands() -> Vec<String> {
    let lines = SPELLINGS
        .lines()
        .filter(|line| line.contains("{s}") && !line.starts_with('#'));
    lines
        .map(|line| line.replace("\\n", "\n").replace("{s}", SECRET))
        .collect()
}

#[test]
fn neither_what_is_said_nor_what_is_kept_has_a_secret() {
    let test = TestBox::new();
    let commands = commands();
    assert!(commands.len() > 80);
    let session: String = commands
        .iter()
        .enumerate()
        .map(|(at, command)| call(&at.to_string(), "run_command", json!({"command": command})))
        .collect();
    for arguments in [
        &["check", "-"][..],
        &["check", "-", "--json"],
        &["call", "-"],
        &["call", "-", "--json"],
    ] {
        let outcome = test.run(arguments, &session);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(said.lines().count() >= commands.len(), "{said}");
        // What a command prints that was run is what was asked for.
        let is_told = |line: &&str| arguments[0] == "check" || line.contains("not run");
        let leak = said.lines().filter(is_told).find(|line| line.contains(SECRET));
        assert_eq!(leak, None, "{arguments:?}");
    }
    let log = std::fs::read_to_string(test.log()).unwrap();
    assert!(log.lines().count() >= 2 * commands.len());
    assert_eq!(log.lines().find(|line| line.contains(SECRET)), None);
}

/// Each simple command is shown by itself too, and what it prints is a secret because of the next one.
#[test]
fn no_part_of_a_command_is_told_with_what_only_the_whole_says_is_secret() {
    let test = TestBox::new();
    let piped: Vec<String> = commands()
        .into_iter()
        .filter(|command| command.contains(" | "))
        .collect();
    assert!(piped.len() > 3);
    for command in piped {
        let outcome = test.run(&["check", &command], "");
        assert!(outcome.stdout.contains("***"), "{}", outcome.stdout);
        assert!(!outcome.stdout.contains(SECRET), "{}", outcome.stdout);
    }
}

const ELSEWHERE: &str = include_str!("../../../gate/tests/gate/secrets_elsewhere.txt");
const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// What the table has of a channel, of the secrets that are known here.
fn elsewhere(channel: &str) -> Vec<String> {
    let lines = ELSEWHERE.lines().filter_map(|line| line.strip_prefix(channel));
    let spelt = lines.map(|line| {
        line.replace("\\n", "\n")
            .replace("{s}", SECRET)
            .replace("{ghp}", TOKEN)
    });
    spelt.filter(|line| !line.contains('{')).collect()
}

fn assert_none(said: &str, what: &str) {
    for secret in [SECRET, "abcdefghijABC"] {
        assert_eq!(said.lines().find(|line| line.contains(secret)), None, "{what}");
    }
}

#[test]
fn paths_and_addresses_are_told_without_theirs() {
    let test = TestBox::new();
    let mut session = String::new();
    for (at, path) in elsewhere("path ").iter().enumerate() {
        for tool in ["read_file", "list_dir"] {
            session.push_str(&call(&format!("{tool}{at}"), tool, json!({"path": path})));
        }
        session.push_str(&call(
            &at.to_string(),
            "edit_file",
            json!({"path": path, "old_text": "a", "new_text": "b"}),
        ));
    }
    session.push_str(&format!(
        "{{\"id\":\"{TOKEN}\",\"tool\":\"password={SECRET}\",\"args\":{{}}}}\n"
    ));
    let outcome = test.run(&["call", "-"], &session);
    assert!(outcome.stdout.lines().count() + outcome.stderr.lines().count() > 60);
    assert_none(&format!("{}{}", outcome.stdout, outcome.stderr), "call");
    for form in ["json", "csv", "otel", "ocsf"] {
        let handed = test.run(&["log", "export", "--format", form], "");
        handed.assert_code(0);
        assert_none(&format!("{}{}", handed.stdout, handed.stderr), form);
    }
    for words in [&["log", "show"][..], &["log", "stats"], &["log", "reconcile"]] {
        assert_none(&test.run(words, "").stdout, words[1]);
    }
    assert_none(&std::fs::read_to_string(test.log()).unwrap(), "the log");
}

#[test]
fn a_hook_says_none_of_a_path_or_an_address() {
    let test = TestBox::new();
    let paths = elsewhere("path ")
        .into_iter()
        .map(|path| ("Read", "file_path", path));
    let urls = elsewhere("url ").into_iter().map(|url| ("WebFetch", "url", url));
    for (tool, member, text) in paths.chain(urls).step_by(4) {
        let input = json!({
            "session_id": TOKEN, "hook_event_name": "PreToolUse", "tool_use_id": "t", "cwd": test.work(),
            "tool_name": tool, "tool_input": {member: text, "prompt": "p"},
        });
        let outcome = test.run(&["hook", "claude-code"], input.to_string());
        assert!(
            outcome.stdout.contains("permissionDecision"),
            "{}",
            outcome.stdout
        );
        assert_none(&format!("{}{}", outcome.stdout, outcome.stderr), &text);
    }
    assert_none(&std::fs::read_to_string(test.log()).unwrap(), "the log");
}

#[test]
fn a_hook_says_none() {
    let test = TestBox::new();
    for command in commands().iter().step_by(9) {
        let input = json!({
            "session_id": "s", "hook_event_name": "PreToolUse", "tool_use_id": "t", "cwd": test.work(),
            "tool_name": "Bash", "tool_input": {"command": command},
        });
        let outcome = test.run(&["hook", "claude-code"], input.to_string());
        // What the rules allow gets no answer at all.
        let is_silent = outcome.stdout.is_empty() && outcome.code == Some(0);
        assert!(
            is_silent || outcome.stdout.contains("permissionDecision"),
            "{}",
            outcome.stdout
        );
        assert!(
            !format!("{}{}", outcome.stdout, outcome.stderr).contains(SECRET),
            "{command}"
        );
    }
}
