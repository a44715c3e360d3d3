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

#[test]
fn a_hook_says_none() {
    let test = TestBox::new();
    for command in commands().iter().step_by(9) {
        let input = json!({
            "session_id": "s", "hook_event_name": "PreToolUse", "tool_use_id": "t", "cwd": test.work(),
            "tool_name": "Bash", "tool_input": {"command": command},
        });
        let outcome = test.run(&["hook", "claude-code"], input.to_string());
        assert!(
            outcome.stdout.contains("permissionDecision"),
            "{}",
            outcome.stdout
        );
        assert!(
            !format!("{}{}", outcome.stdout, outcome.stderr).contains(SECRET),
            "{command}"
        );
    }
}
