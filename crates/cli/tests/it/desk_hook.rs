//! The desk and the agents: what their calls reach of it, and what a hook makes of its answers.

use rstest::rstest;
use serde_json::{Value, json};

use crate::desk::{Desk, scene, wait_for_a_question};

/// The agent's own tools reach neither the desk's files nor the commands that answer.
#[rstest]
#[case::its_socket(json!({"tool": "read_file", "args": {"path": "~/.local/state/portcullis/desk/people.sock"}}))]
#[case::its_lock(json!({"tool": "write_file", "args": {"path": "~/.local/state/portcullis/desk/desk.lock", "content": ""}}))]
#[case::its_directory(json!({"tool": "delete_file", "args": {"path": "~/.local/state/portcullis", "recursive": true}}))]
fn calls_do_not_reach_the_desk(#[case] call: Value) {
    let test = scene();
    let mut desk = Desk::start(&test, &[]);
    let mut call = call;
    call["id"] = json!("1");
    let outcome = test.run(&["call", "-", "--json"], format!("{call}\n"));
    outcome.assert_code(1);
    assert_eq!(outcome.json()[0]["refusal"], "policy");
    desk.end();
}

fn hook_input(command: &str) -> String {
    json!({
        "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": {"command": command}, "cwd": "/",
    })
    .to_string()
}

#[test]
fn an_agent_does_not_answer_its_own_questions() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    for command in ["portcullis ask allow 1", "portcullis desk --no-screen"] {
        let outcome = test.run(&["hook", "claude-code"], hook_input(command));
        outcome.assert_code(2);
        assert!(
            outcome.stderr.contains("does not answer its own questions"),
            "{}",
            outcome.stderr
        );
    }
}

/// The hook asks at the desk, says a person's yes as an allow, and everything else as a deny.
#[rstest]
#[case::yes("allow", "allow", 0, "a person allowed it at the desk")]
#[case::no("deny", "deny", 2, "a person said no")]
fn a_hook_asks_at_the_desk(
    #[case] word: &str,
    #[case] decision: &str,
    #[case] code: i32,
    #[case] reason: &str,
) {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    let outcome = std::thread::scope(|threads| {
        let hook = threads.spawn(|| test.run(&["hook", "claude-code"], hook_input("git push")));
        let asked = wait_for_a_question(&test);
        test.run(&["ask", word, asked["id"].as_str().unwrap()], "")
            .assert_code(0);
        hook.join().unwrap()
    });
    outcome.assert_code(code);
    let output = &outcome.json()[0]["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], decision);
    assert!(
        output["permissionDecisionReason"]
            .as_str()
            .unwrap()
            .contains(reason),
        "{output}"
    );
}

#[rstest]
#[case::no_desk(&["hook", "claude-code"], "nobody to ask (there is no desk)", false)]
#[case::no_time(&["hook", "claude-code", "--deadline-ms", "1500"], "nobody answered in time", true)]
fn a_hook_without_an_answer_denies(#[case] args: &[&str], #[case] reason: &str, #[case] with_desk: bool) {
    let test = scene();
    let _desk = with_desk.then(|| Desk::start(&test, &[]));
    let outcome = test.run(args, hook_input("git push"));
    outcome.assert_code(2);
    assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
    let host = test.run(
        &["hook", "claude-code", "--approver", "here"],
        hook_input("git push"),
    );
    assert_eq!(host.json()[0]["hookSpecificOutput"]["permissionDecision"], "ask");
}
