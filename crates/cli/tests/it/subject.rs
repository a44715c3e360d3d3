use std::fs;
use std::io::Write as _;
use std::os::unix::net::UnixStream;

use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::TestBox;
use crate::runner::{LONG, Runner, SHORT, answer, say};

/// What differs from gate to gate is taken out: names, capabilities, ids and words for people.
fn bare(mut message: Value) -> Value {
    for (kind, members) in [
        ("hello", &["subject", "capabilities", "audit_export"][..]),
        ("result", &["output"]),
        ("ask", &["id", "text"]),
    ] {
        let Some(body) = message.get_mut(kind) else {
            continue;
        };
        for member in members {
            assert!(
                body.get_mut(*member).map(Value::take).is_some(),
                "{kind} has no {member}"
            );
        }
    }
    message
}

#[test]
fn the_transcript_of_the_protocol() {
    let text = include_str!("../../../../conformance/PROTOCOL.md");
    let transcript = text
        .split("```transcript\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let mut runner = Runner::new();
    let root = runner.test.root();
    fs::create_dir_all(root.join("workspace/src")).unwrap();
    let place = root.to_str().unwrap();
    let (mut asking, mut lines) = (None, 0);
    for line in transcript.lines() {
        lines += 1;
        let (side, message) = line.split_once(' ').unwrap();
        let ask = asking.as_ref().map_or("", |(_, question): &(UnixStream, Value)| {
            question["ask"]["id"].as_str().unwrap()
        });
        let message = message
            .replace("$ROOT", place)
            .replace("$CTL", place)
            .replace("$CAPS", "[]")
            .replace("$ASK", ask);
        let message: Value = serde_json::from_str(&message).unwrap();
        match side {
            ">" => runner.send(&message),
            "<" => assert_eq!(bare(runner.receive()), bare(message)),
            "A<" => {
                let question = runner.question();
                assert_eq!(bare(question.1.clone()), bare(message));
                asking = Some(question);
            }
            "A>" => say(&asking.as_ref().unwrap().0, &format!("{message}\n")),
            other => panic!("`{other}` is no side"),
        }
    }
    assert!(lines > 10, "{lines} lines");
    assert_eq!(runner.child.wait().unwrap().code(), Some(0));
}

#[rstest]
#[case::allow("allow_once", "allow approved")]
#[case::deny("deny", "deny denied_by_human")]
#[case::other_word("yes", "deny fault")]
fn an_answer_that_counts(#[case] verdict: &str, #[case] expected: &str) {
    let mut runner = Runner::opened(LONG);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    let (stream, question) = runner.question();
    assert_eq!(question["ask"]["paths"], json!([file]));
    say(&stream, &answer(&question, verdict));
    assert_eq!(runner.result("c-1"), expected);
    assert_eq!(file.exists(), expected != "allow approved");
    assert_eq!(runner.end(), Some(0));
}

/// Whatever a person's end of the socket does, nothing is deleted, and the next call is served.
#[rstest]
#[case::hangs_up(LONG, |_: &UnixStream, _: &Value| {}, "deny no_approver")]
#[case::half(LONG, |stream: &UnixStream, question: &Value| {
    let whole = answer(question, "allow_once");
    say(stream, whole.strip_suffix("\"}}\n").unwrap());
}, "deny no_approver")]
#[case::no_line_feed(LONG, |stream: &UnixStream, question: &Value| {
    say(stream, answer(question, "allow_once").trim_end());
}, "deny no_approver")]
#[case::garbage(LONG, |stream: &UnixStream, _: &Value| say(stream, "allow_once\n"), "deny fault")]
#[case::flood(LONG, |stream: &UnixStream, _: &Value| say(stream, &"y".repeat(5000)), "deny fault")]
#[case::wrong_id(LONG, |stream: &UnixStream, question: &Value| {
    say(stream, &answer(&json!({"ask": {"id": format!("{}0", question["ask"]["id"].as_str().unwrap())}}), "allow_once"));
}, "deny no_approver")]
#[case::call_id(LONG, |stream: &UnixStream, _: &Value| {
    say(stream, &answer(&json!({"ask": {"id": "c-1"}}), "allow_once"));
}, "deny no_approver")]
#[case::twice(LONG, |stream: &UnixStream, question: &Value| {
    say(stream, &(answer(question, "deny") + &answer(question, "allow_once")));
}, "deny denied_by_human")]
fn a_channel_that_breaks(
    #[case] patience: u64,
    #[case] person: fn(&UnixStream, &Value),
    #[case] expected: &str,
) {
    let mut runner = Runner::opened(patience);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    let (stream, question) = runner.question();
    person(&stream, &question);
    drop(stream);
    assert_eq!(runner.result("c-1"), expected);
    assert!(file.exists());
    runner.send(&runner.call("c-2", "read", json!({"path": "old"})));
    assert_eq!(runner.result("c-2"), "allow policy");
    let decided = runner.records();
    let reason = expected.strip_prefix("deny ").unwrap();
    assert!(
        decided
            .iter()
            .any(|line| line["event"] == "decided" && line["reason"] == reason),
        "{decided:?}"
    );
}

#[test]
fn an_answer_that_comes_late_is_for_nothing() {
    let mut runner = Runner::opened(SHORT);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    let (mut stream, question) = runner.question();
    assert_eq!(runner.result("c-1"), "deny timeout");
    // The other end may be closed already.
    let _late = stream.write_all(answer(&question, "allow_once").as_bytes());
    runner.send(&runner.delete("c-2", "old"));
    let (second, _) = runner.question();
    say(&second, &answer(&question, "allow_once"));
    assert_eq!(runner.result("c-2"), "deny timeout");
    assert!(file.exists());
}

#[test]
fn an_answer_to_another_question_leaves_this_one_open() {
    let mut runner = Runner::opened(LONG);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    let (stream, question) = runner.question();
    let other = answer(&json!({"ask": {"id": "c-1"}}), "allow_once");
    say(&stream, &(other + &answer(&question, "deny")));
    assert_eq!(runner.result("c-1"), "deny denied_by_human");
    assert!(file.exists());
}

#[rstest]
#[case::no_socket(json!(null))]
#[case::nobody_listens(json!("/nowhere/ap.sock"))]
fn nobody_is_there(#[case] socket: Value) {
    let mut runner = Runner::new();
    let mut open = runner.open(LONG);
    open["open"]["approver"] = socket;
    runner.request(&open);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    assert_eq!(runner.result("c-1"), "deny no_approver");
    assert!(file.exists());
}

#[test]
fn a_call_is_withdrawn_while_it_is_asked_and_while_it_waits_for_its_turn() {
    let mut runner = Runner::opened(LONG);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    let (stream, question) = runner.question();
    runner.send(&runner.delete("c-2", "old"));
    runner.send(&json!({"cancel": {"id": "c-0"}}));
    runner.send(&json!({"cancel": {"id": "c-2"}}));
    runner.send(&json!({"cancel": {"id": "c-1"}}));
    assert_eq!(runner.result("c-1"), "deny cancelled");
    assert_eq!(runner.result("c-2"), "deny cancelled");
    let _late = (&stream).write_all(answer(&question, "allow_once").as_bytes());
    runner.send(&runner.call("c-3", "list", json!({"path": "."})));
    assert_eq!(runner.result("c-3"), "allow policy");
    assert!(file.exists());
}

#[test]
fn the_end_of_input_withdraws_what_is_open() {
    let mut runner = Runner::opened(LONG);
    let file = runner.file("old");
    runner.send(&runner.delete("c-1", "old"));
    let (_stream, _question) = runner.question();
    runner.stdin = None;
    assert_eq!(runner.result("c-1"), "deny cancelled");
    assert_eq!(runner.child.wait().unwrap().code(), Some(3));
    assert!(file.exists());
}

#[test]
fn a_lasting_allow_is_told_from_a_rule() {
    let mut runner = Runner::opened(LONG);
    for (id, asked) in [("c-1", true), ("c-2", false)] {
        let file = runner.file("old");
        runner.send(&runner.delete(id, "old"));
        if asked {
            let (stream, question) = runner.question();
            say(&stream, &answer(&question, "allow_always"));
        }
        assert_eq!(runner.result(id), "allow approved");
        assert!(!file.exists());
    }
    runner.send(&runner.call("c-3", "write", json!({"path": "new", "content": "x"})));
    assert_eq!(runner.result("c-3"), "allow policy");
    let decided: Vec<_> = runner
        .records()
        .into_iter()
        .filter(|line| line["event"] == "decided")
        .map(|line| format!("{} {} {}", line["call"], line["tool"], line["reason"]).replace('"', ""))
        .collect();
    assert_eq!(
        decided,
        ["c-1 delete approved", "c-2 delete approved", "c-3 write policy"]
    );
}

#[rstest]
#[case::whole(r#"{"path": "a", "content": "x"}"#, "allow policy")]
#[case::twice(r#"{"path": "a", "path": "b", "content": "x"}"#, "deny bad_arguments")]
#[case::cut(r#"{"path": "a", "conte"#, "deny bad_arguments")]
#[case::breaks_out(r#"{"path": "a", "content": "x"}, "agent": "someone""#, "deny bad_arguments")]
#[case::empty("", "deny bad_arguments")]
fn raw_arguments_are_judged_as_they_are(#[case] raw: &str, #[case] expected: &str) {
    let mut runner = Runner::opened(LONG);
    runner.send(&runner.call("c-1", "raw:write", json!({"raw": raw})));
    assert_eq!(runner.result("c-1"), expected);
    assert_eq!(runner.test.work().join("a").exists(), expected == "allow policy");
    assert_eq!(runner.records()[0]["call"], "c-1");
}

#[rstest]
#[case::command("run", json!({"command": "frobnicate"}), "ask policy")]
#[case::sub_agent("spawn", json!({"name": "subagent", "input": {"tasks": [{"cwd": "/"}]}}), "ask policy")]
#[case::sub_agent_of_nothing("spawn", json!({"name": "subagent"}), "deny bad_arguments")]
#[case::list("list", json!({"path": "."}), "allow policy")]
#[case::another_agents_tool("Bash", json!({"command": "ls"}), "deny unknown_tool")]
#[case::our_own_name("read_file", json!({"path": "a"}), "deny unknown_tool")]
fn judging_asks_nobody_and_leaves_no_record(#[case] tool: &str, #[case] args: Value, #[case] expected: &str) {
    let mut runner = Runner::opened(LONG);
    let judge = json!({"judge": runner.call("j-1", tool, args)["call"]});
    let judged = runner.request(&judge)["judged"].take();
    assert_eq!(
        format!("{} {}", judged["decision"], judged["reason"]).replace('"', ""),
        expected
    );
    assert_eq!(
        runner.records(),
        [
            json!({"event": "books", "balanced": true}),
            json!({"event": "chain", "intact": true, "good": 0}),
        ]
    );
}

#[rstest]
#[case::trusted("trusted", "deny policy")]
#[case::undecided("undecided", "allow policy")]
#[case::tampered("tampered", "allow policy")]
fn a_project_tightens_where_it_is_trusted(#[case] trust: &str, #[case] expected: &str) {
    let mut runner = Runner::new();
    let mut open = runner.open(LONG);
    open["open"]["trust"]["workspace"] = json!(trust);
    open["open"]["project"] = json!({
        "otherwise": "ask", "allow": [], "ask": [], "deny": [{"tool": "write", "under": runner.test.work()}],
    });
    runner.request(&open);
    runner.send(&runner.call("c-1", "write", json!({"path": "a", "content": "x"})));
    assert_eq!(runner.result("c-1"), expected);
}

#[rstest]
#[case::as_it_was(None, json!({"opened": {"session": "s-1"}}))]
#[case::damaged(Some("version = 1\nrule = 7\n"), json!({"refused": {"session": "s-1", "reason": "fault"}}))]
#[case::gone(Some(""), json!({"refused": {"session": "s-1", "reason": "fault"}}))]
fn another_process_goes_on_with_what_is_there(#[case] policy: Option<&str>, #[case] expected: Value) {
    let mut runner = Runner::opened(LONG);
    let file = runner.test.root().join("config/policy.toml");
    match policy {
        Some("") => fs::remove_file(&file).unwrap(),
        Some(text) => fs::write(&file, text).unwrap(),
        None => {}
    }
    let there = fs::read_to_string(&file).ok();
    assert_eq!(runner.resume(), expected);
    assert_eq!(fs::read_to_string(&file).ok(), there);
}

#[test]
fn a_log_that_was_altered_says_so() {
    let mut runner = Runner::opened(LONG);
    runner.send(&runner.call("c-1", "list", json!({"path": "."})));
    runner.result("c-1");
    let log = runner.test.root().join("audit.jsonl");
    let text = fs::read_to_string(&log).unwrap().replace("permitted", "refused");
    fs::write(&log, text).unwrap();
    assert_eq!(
        runner.records().last().unwrap(),
        &json!({"event": "chain", "intact": false, "good": 0})
    );
}

#[test]
fn an_output_that_does_not_fit_into_a_line_is_left_out() {
    let mut runner = Runner::opened(LONG);
    fs::write(runner.test.work().join("big"), "\n".repeat(1 << 20)).unwrap();
    let call = runner.call("c-1", "read", json!({"path": "big"}));
    let answer = runner.request(&call);
    assert_eq!(answer["result"]["executed"], true);
    assert_eq!(answer["result"]["output"], "the output does not fit into a line");
}

#[test]
fn a_line_that_is_no_message_ends_it() {
    let test = TestBox::new();
    test.run(&["subject"], "{\"hello\": {}}\n").assert_code(3);
    test.run(&["subject"], "").assert_code(3);
}

/// The hook's configuration as the suite sets it up, and the hook under it.
#[test]
fn the_hook_is_set_up_by_open() {
    let test = TestBox::new();
    let at = |name: &str| test.root().join(name).to_str().unwrap().to_owned();
    let open = |resume: bool, policy: Value| {
        json!({
            "session": "s-1", "workspace": at("work"), "home": at("home"), "config": at("config"), "state": at("state"),
            "policy": policy, "project": null, "trust": {"workspace": "trusted"}, "approver": null,
            "audit": at("audit.jsonl"), "ask_timeout_ms": 400, "resume": resume,
        })
        .to_string()
    };
    let allow = json!([{"tool": "write", "under": at("work")}]);
    let deny = json!([{"tool": "write", "path": at("work/.env")}]);
    let policy = json!({"otherwise": "ask", "allow": allow, "ask": [], "deny": deny});
    let outcome = test.run(&["subject", "--hook"], open(false, policy.clone()));
    let words: Vec<&str> = outcome.assert_code(0).stdout.lines().collect();
    assert_eq!(
        words,
        ["--policy", &at("config/policy.toml"), "--workspace", &at("work")]
    );
    let written = fs::read_to_string(at("config/policy.toml")).unwrap();
    // Going on, it says the same and writes nothing.
    let again = test.run(&["subject", "--hook"], open(true, policy));
    assert_eq!(again.assert_code(0).stdout, outcome.stdout);
    assert_eq!(fs::read_to_string(at("config/policy.toml")).unwrap(), written);
    for (file, decision) in [("a.txt", "allow"), (".env", "deny"), ("../x", "ask")] {
        let event = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": at("work"), "tool_use_id": "c-1",
            "tool_name": "Write", "tool_input": {"file_path": format!("{}/{file}", at("work")), "content": "x"},
        });
        let log = at("audit.jsonl");
        let command = [&["hook", "claude-code", "--log", &log], words.as_slice()].concat();
        let said = test.run(&command, event.to_string());
        let answer: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(
            answer["hookSpecificOutput"]["permissionDecision"], decision,
            "{said:?}"
        );
    }
    let exported = test.run(&["subject", "--export", &at("audit.jsonl")], "");
    let events = exported.assert_code(0).json();
    // What the host asks is not ours to record as decided.
    let decided: Vec<&Value> = events
        .iter()
        .filter(|event| event["event"] == "decided")
        .collect();
    let said: Vec<&str> = decided
        .iter()
        .map(|event| event["decision"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["allow", "deny"]);
    let denies = json!({"otherwise": "deny", "allow": [], "ask": [], "deny": []});
    fs::remove_file(at("config/policy.toml")).unwrap();
    test.run(&["subject", "--hook"], open(false, denies))
        .assert_code(0);
    let written = fs::read_to_string(at("config/policy.toml")).unwrap();
    assert!(written.contains("otherwise = \"deny\""), "{written}");
}
