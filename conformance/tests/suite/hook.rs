//! Hooks of a few words behind the adapter: what the host makes of each.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{PROGRAM, program};

const ALLOW: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;
const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
const ASK: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}"#;

/// Talks to the adapter about a hook (a text for `sh`), and gives every answer.
fn talk(place: &Path, options: &[&str], hook: &str, messages: &[Value]) -> Vec<Value> {
    for name in ["workspace", "home", "config", "state"] {
        fs::create_dir_all(place.join(name)).unwrap();
    }
    let mut adapter = Command::new(PROGRAM)
        .args(["adapt", "claude-code-hook"])
        .args(options)
        .args(["--", "/bin/sh", "-c", hook])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = adapter.stdin.take().unwrap();
    for message in [json!({"hello": {"protocol": 1, "run": "r-1"}}), open(place)]
        .iter()
        .chain(messages)
        .chain([&json!({"close": {"session": "s-1"}}), &json!({"bye": {}})])
    {
        writeln!(stdin, "{message}").unwrap();
    }
    drop(stdin);
    let output = adapter.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn open(place: &Path) -> Value {
    let at = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let policy = json!({"otherwise": "ask", "allow": [], "ask": [], "deny": []});
    json!({"open": {
        "session": "s-1", "workspace": at("workspace"), "home": at("home"), "config": at("config"),
        "state": at("state"), "policy": policy, "project": null, "trust": {"workspace": "trusted"},
        "approver": null, "audit": at("audit.jsonl"), "ask_timeout_ms": 400, "resume": false,
    }})
}

fn message(kind: &str, place: &Path, tool: &str, args: Value) -> Value {
    let cwd = place.join("workspace");
    let body = json!({"id": "x-1", "session": "s-1", "tool": tool, "args": args, "cwd": cwd, "agent": null});
    json!({kind: body})
}

/// What is decided about one command, and why.
fn judged(options: &[&str], hook: &str) -> (String, String) {
    let place = tempfile::tempdir().unwrap();
    let judge = message("judge", place.path(), "run", json!({"command": "ls"}));
    let answers = talk(place.path(), options, hook, &[judge]);
    let judged = answers.get(2).and_then(|answer| answer.get("judged")).unwrap();
    let word = |name: &str| judged.get(name).unwrap().as_str().unwrap().to_owned();
    (word("decision"), word("reason"))
}

#[test]
fn every_row_of_the_failure_matrix() {
    let say = |text: &str| format!("echo '{text}'");
    let slow = "sleep 20".to_owned();
    // The hook; the decision in a host that asks, in one that does not, and in one that blocks on failure.
    let rows = [
        ("exit 0".to_owned(), ["ask", "allow", "ask"]),
        (say(ALLOW), ["allow", "allow", "allow"]),
        (say(ASK), ["ask", "ask", "ask"]),
        (say(DENY), ["deny", "deny", "deny"]),
        ("echo no >&2; exit 2".to_owned(), ["deny", "deny", "deny"]),
        ("exit 2".to_owned(), ["deny", "deny", "deny"]),
        (
            format!("{}; echo no >&2; exit 2", say(DENY)),
            ["deny", "deny", "deny"],
        ),
        (format!("{}; exit 2", say(ALLOW)), ["deny", "deny", "deny"]),
        ("exit 1".to_owned(), ["ask", "allow", "deny"]),
        (format!("{}; exit 1", say(DENY)), ["ask", "allow", "deny"]),
        ("kill -KILL $$".to_owned(), ["ask", "allow", "deny"]),
        (slow, ["ask", "allow", "deny"]),
        (say(DENY.trim_end_matches('}')), ["ask", "allow", "deny"]),
        (say("denied"), ["ask", "allow", "deny"]),
        (format!("echo starting; {}", say(DENY)), ["ask", "allow", "deny"]),
        (
            format!("echo starting >&2; {}", say(DENY)),
            ["deny", "deny", "deny"],
        ),
        (say(r#"{"permissionDecision":"deny"}"#), ["ask", "allow", "ask"]),
        ("no-such-program-here".to_owned(), ["ask", "allow", "deny"]),
    ];
    let hosts: [&[&str]; 3] = [
        &["--timeout-ms", "1000"],
        &["--timeout-ms", "1000", "--no-opinion", "allow"],
        &["--timeout-ms", "1000", "--on-failure", "block"],
    ];
    for (hook, expected) in rows {
        for (options, expected) in hosts.iter().zip(expected) {
            let (decision, reason) = judged(options, &hook);
            assert_eq!(decision, expected, "{hook} in {options:?}");
            assert!(["policy", "fault"].contains(&reason.as_str()), "{hook}: {reason}");
        }
    }
}

#[test]
fn a_hook_gets_what_the_host_gives() {
    let place = tempfile::tempdir().unwrap();
    let hook = r#"cat > "$XDG_STATE_HOME/event"; pwd > "$XDG_STATE_HOME/where"
        echo "$HOME $CLAUDE_PROJECT_DIR $MINE" > "$XDG_STATE_HOME/around""#;
    let call = message("call", place.path(), "read", json!({"path": "a"}));
    let answers = talk(place.path(), &["--env", "MINE=x{config}"], hook, &[call]);
    let answer = &answers[2]["result"];
    assert_eq!(
        (&answer["decision"], &answer["executed"], &answer["output"]),
        (&json!("ask"), &json!(false), &Value::Null)
    );
    let read = |name: &str| fs::read_to_string(place.path().join("state").join(name)).unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(read("where").trim(), at("workspace"));
    let around = format!("{} {} x{}", at("home"), at("workspace"), at("config"));
    assert_eq!(read("around").trim(), around);
    let event: Value = serde_json::from_str(&read("event")).unwrap();
    assert_eq!(event["tool_input"], json!({"file_path": at("workspace/a")}));
    for (name, expected) in [
        ("hook_event_name", "PreToolUse"),
        ("tool_name", "Read"),
        ("tool_use_id", "x-1"),
        ("permission_mode", "default"),
        ("cwd", &at("workspace")),
    ] {
        assert_eq!(event[name], expected, "{name}");
    }
}

#[test]
fn a_setup_configures_the_hook_or_the_session_is_refused() {
    let place = tempfile::tempdir().unwrap();
    // `sh -c TEXT` takes what the setup prints as $0.
    let hook = r#"test "$0" = extra && test -s "$XDG_CONFIG_HOME/open" && exit 2"#;
    let setup = r#"/bin/sh -c "cat > {config}/open; echo extra""#;
    let call = message("call", place.path(), "run", json!({"command": "ls"}));
    let answers = talk(
        place.path(),
        &["--setup", setup],
        hook,
        std::slice::from_ref(&call),
    );
    assert_eq!(answers[2]["result"]["decision"], "deny", "{answers:?}");
    let answers = talk(place.path(), &["--setup", "/bin/false"], hook, &[]);
    assert_eq!(answers[1]["refused"]["reason"], "fault", "{answers:?}");
}

#[test]
fn what_is_promised_is_what_a_hook_can_have() {
    let place = tempfile::tempdir().unwrap();
    let options = [
        "--without",
        "tool.move",
        "--promise",
        "policy.own",
        "--audit-export",
        "cat",
    ];
    let answers = talk(place.path(), &options, "exit 0", &[]);
    let hello = &answers[0]["hello"];
    assert_eq!(
        (&hello["kind"], &hello["audit_export"]),
        (&json!("decides"), &json!(["cat"]))
    );
    let promised = hello["capabilities"].as_array().unwrap();
    for (word, expected) in [
        ("tool.move", false),
        ("tool.load", false),
        ("approver.socket", false),
        ("approver.host", true),
        ("policy.own", true),
        ("audit", true),
    ] {
        assert_eq!(promised.contains(&json!(word)), expected, "{word}");
    }
    let (code, said) = program(&["adapt", "claude-code-hook", "--promise", "tool.fly", "--", "true"]);
    assert_eq!(code, 2, "{said}");
}

/// Hooks that look at nothing pass no family. (One that has everything asked passes those that accept a question.)
#[test]
fn a_constant_hook_passes_nothing() {
    let hooks = [
        "exit 0".to_owned(),
        format!("echo '{ALLOW}'"),
        "exit 2".to_owned(),
    ];
    let promises = [
        "allow.write",
        "allow.read",
        "allow.edit",
        "allow.make_dir",
        "allow.list",
        "policy.own",
    ]
    .map(|word| format!("--promise {word}"))
    .join(" ");
    for hook in &hooks {
        for host in ["ask", "allow"] {
            if hook == "exit 0" && host == "ask" {
                continue;
            }
            let script = tempfile::NamedTempFile::new().unwrap();
            fs::write(script.path(), hook).unwrap();
            let subject = format!(
                "'{PROGRAM}' adapt claude-code-hook --no-opinion {host} {promises} -- /bin/sh {}",
                script.path().display()
            );
            let (code, said) = program(&[
                "run",
                "--subject",
                &subject,
                "--only",
                "tools",
                "--only",
                "policy",
            ]);
            assert_eq!(code, 1, "{said}");
            assert!(said.contains("families: 0 passed of"), "{hook} {host}: {said}");
        }
    }
}
