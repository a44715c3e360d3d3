//! A hook is a process for each call; what was refused in a session holds over all of them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use rstest::rstest;
use serde_json::json;

use crate::desk::{Desk, scene, wait_for_a_question};
use crate::harness::{Outcome, TestBox};

const AT_THE_DESK: [&str; 4] = ["hook", "claude-code", "--approver", "desk"];

/// A push to somewhere new each time, so that only the run is what ends the asking.
fn input(session: &str, prompt: &str, to: u32) -> String {
    json!({
        "session_id": session, "prompt_id": prompt, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": "t1", "tool_input": {"command": format!("git push r{to}")}, "cwd": "/",
    })
    .to_string()
}

fn ask(test: &TestBox, session: &str, prompt: &str, to: u32) -> Outcome {
    let outcome = test.run(&AT_THE_DESK, input(session, prompt, to));
    outcome.assert_code(2);
    outcome
}

fn runs(test: &TestBox) -> PathBuf {
    test.home().join(".local/state/portcullis/runs.json")
}

const ENDED: &str = "ended the asking";
const NOBODY: &str = "nobody to ask";

#[track_caller]
fn assert_says(outcome: &Outcome, reason: &str) {
    assert!(outcome.stderr.contains(reason), "{outcome:#?}");
}

#[test]
fn three_processes_without_an_answer_end_the_asking_of_their_session() {
    let test = scene();
    for to in 0..3 {
        assert_says(&ask(&test, "s", "p", to), NOBODY);
    }
    assert_says(&ask(&test, "s", "p", 3), ENDED);
    assert_says(&ask(&test, "other", "p", 3), NOBODY);
    // Nothing of a call stands there, and only its owner reads it.
    let text = std::fs::read_to_string(runs(&test)).unwrap();
    assert!(!text.contains("push") && !text.contains("git"), "{text}");
    let mode = std::fs::metadata(runs(&test)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // The user says something new.
    assert_says(&ask(&test, "s", "p2", 3), NOBODY);
    let recorded = test.run(&["log", "verify"], "");
    recorded.assert_code(0);
    test.run(&["log", "reconcile"], "").assert_code(0);
}

#[test]
fn a_persons_no_in_three_processes_ends_the_asking_and_the_desk_is_not_bothered_again() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    for to in 0..3 {
        std::thread::scope(|threads| {
            let hook = threads.spawn(|| ask(&test, "s", "p", to));
            let asked = wait_for_a_question(&test);
            test.run(&["ask", "deny", asked["id"].as_str().unwrap()], "")
                .assert_code(0);
            assert_says(&hook.join().unwrap(), "a person said no");
        });
    }
    assert_says(&ask(&test, "s", "p", 3), ENDED);
}

/// A killed hook says nothing more; that it asked was written down before it asked.
#[test]
fn a_question_is_written_down_before_it_goes_out() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    let mut hook = test.command(&AT_THE_DESK).stdout(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut hook.stdin.take().unwrap(), input("s", "p", 0).as_bytes()).unwrap();
    wait_for_a_question(&test);
    hook.kill().unwrap();
    hook.wait().unwrap();
    let text = std::fs::read_to_string(runs(&test)).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        file["runs"][0]["asked"].as_array().map(Vec::len),
        Some(1),
        "{text}"
    );
}

#[rstest]
#[case::broken(|test: &TestBox| std::fs::write(runs(test), "{").unwrap())]
#[case::not_its_owners_alone(|test: &TestBox| {
    std::fs::set_permissions(runs(test), std::fs::Permissions::from_mode(0o666)).unwrap();
})]
#[case::a_link(|test: &TestBox| {
    std::fs::rename(runs(test), test.root().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(test.root().join("elsewhere"), runs(test)).unwrap();
})]
fn a_file_that_cannot_be_used_is_no_fresh_run(#[case] spoil: fn(&TestBox)) {
    let test = scene();
    test.write("work/x", "");
    assert_says(&ask(&test, "s", "p", 0), NOBODY);
    spoil(&test);
    for session in ["s", "new"] {
        assert_says(
            &ask(&test, session, "p", 1),
            "what is remembered of this run cannot be used",
        );
    }
    // What the rules allow goes on, and so does the agent's own question.
    let read = json!({
        "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_use_id": "t1",
        "tool_input": {"file_path": test.work().join("x")}, "cwd": test.work(),
    });
    test.run(&AT_THE_DESK, read.to_string()).assert_code(0);
    let here = test.run(&["hook", "claude-code", "--approver", "here"], input("s", "p", 1));
    here.assert_code(0);
}
