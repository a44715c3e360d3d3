//! The desk and everybody around it: gates that ask, people who answer, and those who should not.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{Outcome, TestBox, call};

/// Long enough that a test never meets it, short enough that one which does ends.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A desk that runs. One with a screen belongs to who sits there.
pub(crate) struct Desk {
    child: Option<(Child, BufReader<ChildStdout>)>,
    pub(crate) place: PathBuf,
}

impl Desk {
    pub(crate) fn start(test: &TestBox, more: &[&str]) -> Self {
        let args: Vec<&str> = ["desk", "--no-screen"].iter().chain(more).copied().collect();
        let mut child = test.command(&args).stderr(Stdio::inherit()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut desk = Self::of_a_screen(test);
        desk.child = Some((child, stdout));
        assert_eq!(desk.line(), format!("desk {}", desk.place.display()));
        desk
    }

    /// The desk that somebody else started.
    pub(crate) fn of_a_screen(test: &TestBox) -> Self {
        Self {
            child: None,
            place: test.home().join(".local/state/portcullis/desk"),
        }
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        let (_, stdout) = self.child.as_mut().unwrap();
        stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    pub(crate) fn end(&mut self) {
        let (mut child, _) = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    pub(crate) fn connect(&self, socket: &str) -> UnixStream {
        let stream = UnixStream::connect(self.place.join(socket)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Says bytes on a new connection and hears everything until its end.
    pub(crate) fn say(&self, socket: &str, bytes: &[u8]) -> String {
        let mut stream = self.connect(socket);
        // Who is turned away does not read to the end.
        let _turned = stream.write_all(bytes);
        let _ended = stream.shutdown(Shutdown::Write);
        let mut heard = String::new();
        let _reset = stream.read_to_string(&mut heard);
        heard
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some((child, _)) = &mut self.child {
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }
}

/// A gate's end of the protocol.
pub(crate) struct Asking {
    lines: BufReader<UnixStream>,
    pub(crate) id: String,
}

impl Asking {
    pub(crate) fn begin(desk: &Desk, number: u32) -> Self {
        Self::with(desk, number, |_| {})
    }

    pub(crate) fn with(desk: &Desk, number: u32, change: impl FnOnce(&mut Value)) -> Self {
        let mut stream = desk.connect("gates.sock");
        stream.write_all(question(number, change).as_bytes()).unwrap();
        let mut asking = Self {
            lines: BufReader::new(stream),
            id: id(number),
        };
        assert_eq!(asking.heard(), json!({"waiting": {"id": asking.id}}));
        asking
    }

    /// What the desk says next; null at the end.
    pub(crate) fn heard(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        match line.is_empty() {
            true => Value::Null,
            false => serde_json::from_str::<Value>(&line).unwrap()["say"].clone(),
        }
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.lines.get_mut().write_all(text.as_bytes()).unwrap();
    }
}

pub(crate) fn id(number: u32) -> String {
    format!("{number:032x}")
}

pub(crate) fn question(number: u32, change: impl FnOnce(&mut Value)) -> String {
    let mut asked = json!({
        "id": id(number), "from": "/work/app", "call": "c1", "tool": "delete_file", "agent": null,
        "commands": [], "effects": ["delete /work/app/build"], "remaining_ms": 60_000,
        "offers": {"for_a_time": true, "in_session": false, "below": [], "kept": false, "because": null},
        "causes": [{"rule": "delete", "layer": "built-in", "text": "it cannot be undone"}],
    });
    change(&mut asked);
    format!("{}\n", json!({"v": 2, "say": {"ask": asked}}))
}

pub(crate) fn list(test: &TestBox) -> Vec<Value> {
    let outcome = test.run(&["ask", "list", "--json"], "");
    outcome.assert_code(0);
    outcome.json()
}

pub(crate) fn wait_for_a_question(test: &TestBox) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        if let [question] = list(test).as_slice() {
            return question.clone();
        }
        assert!(Instant::now() < end, "nobody asks");
    }
}

/// A workspace with something to delete, and a policy that asks at the desk.
pub(crate) fn scene() -> TestBox {
    let test = TestBox::new();
    test.write("work/build/x", "x");
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\n[approval]\napprover = \"desk\"\n",
    );
    test
}

pub(crate) fn delete() -> String {
    call("1", "delete_file", json!({"path": "build", "recursive": true}))
}

/// The refusal of the one call, and the last record of the log.
pub(crate) fn refusal(test: &TestBox, outcome: &Outcome) -> (String, String) {
    let shown = test.run(&["log", "show", "--json"], "");
    shown.assert_code(0);
    let last = shown.json().pop().unwrap();
    let word = outcome.json()[0]["refusal"].as_str().unwrap_or("-").to_owned();
    (word, last["refusal"].as_str().unwrap_or("-").to_owned())
}

#[test]
fn a_yes_at_the_desk_lets_the_call_run() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    let outcome = std::thread::scope(|threads| {
        let calling = threads.spawn(|| test.run(&["call", "-", "--json"], delete()));
        let asked = wait_for_a_question(&test);
        assert_eq!(asked["tool"], "delete_file");
        assert_eq!(asked["from"], test.work().to_str().unwrap());
        let id = asked["id"].as_str().unwrap();
        test.run(&["ask", "allow", id], "").assert_code(0);
        let again = test.run(&["ask", "deny", id], "");
        again.assert_code(1);
        assert!(
            again.stderr.contains("it was answered before"),
            "{}",
            again.stderr
        );
        calling.join().unwrap()
    });
    outcome.assert_code(0);
    assert!(!test.work().join("build").exists());
    assert_eq!(list(&test), [] as [Value; 0]);
}

#[test]
fn a_no_at_the_desk_brings_its_words() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    let outcome = std::thread::scope(|threads| {
        let calling = threads.spawn(|| test.run(&["call", "-", "--json"], delete()));
        let asked = wait_for_a_question(&test);
        let id = asked["id"].as_str().unwrap();
        test.run(&["ask", "deny", id, "--reason", "use git rm\u{1b}[2J"], "")
            .assert_code(0);
        calling.join().unwrap()
    });
    outcome.assert_code(1);
    let text = outcome.json()[0]["text"].as_str().unwrap().to_owned();
    assert_eq!(text, "not run: a person said no: use git rm\\u{1b}[2J");
    assert_eq!(
        refusal(&test, &outcome),
        ("denied_by_human".into(), "denied_by_human".into())
    );
    assert!(test.work().join("build/x").exists());
}

#[test]
fn several_gates_ask_at_once_and_each_gets_its_own_answer() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let mut gates: Vec<Asking> = (0..20).map(|number| Asking::begin(&desk, number)).collect();
    assert_eq!(list(&test).len(), 20);
    std::thread::scope(|threads| {
        for gate in &gates {
            let (test, id) = (&test, gate.id.as_str());
            let word = if id.ends_with(['0', '2', '4']) {
                "allow"
            } else {
                "deny"
            };
            threads.spawn(move || test.run(&["ask", word, id], "").assert_code(0).code);
        }
    });
    for gate in &mut gates {
        let heard = gate.heard();
        assert_eq!(heard["answer"]["id"], gate.id.as_str());
        let allowed = heard["answer"]["answer"].get("allow_once").is_some();
        assert_eq!(allowed, gate.id.ends_with(['0', '2', '4']), "{heard}");
        assert_eq!(gate.heard(), Value::Null);
    }
    assert!(list(&test).is_empty());
}

#[test]
fn of_many_answers_at_once_one_is_taken() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let mut gate = Asking::begin(&desk, 1);
    let codes: Vec<_> = std::thread::scope(|threads| {
        let people: Vec<_> = (0..6)
            .map(|person| {
                let (test, id) = (&test, gate.id.as_str());
                let word = if person % 2 == 0 { "allow" } else { "deny" };
                threads.spawn(move || (word, test.run(&["ask", word, id], "").code))
            })
            .collect();
        people.into_iter().map(|person| person.join().unwrap()).collect()
    });
    let taken: Vec<_> = codes.iter().filter(|(_, code)| *code == Some(0)).collect();
    assert_eq!(taken.len(), 1, "{codes:?}");
    assert!(codes.iter().all(|(_, code)| [Some(0), Some(1)].contains(code)));
    let heard = gate.heard();
    let allowed = heard["answer"]["answer"].get("allow_once").is_some();
    assert_eq!(allowed, taken[0].0 == "allow");
    assert_eq!(gate.heard(), Value::Null);
}

/// No desk, a desk that died, and one that is not ours: blocked, and recorded as nobody to ask.
#[rstest]
#[case::none("there is no desk", |_: &TestBox| {})]
#[case::died("the desk has died", |test: &TestBox| Desk::start(test, &[]).end())]
#[case::not_ours("not the user's alone", |test: &TestBox| {
    let desk = Desk::start(test, &[]);
    fs::set_permissions(&desk.place, PermissionsExt::from_mode(0o755)).unwrap();
})]
fn without_a_desk_nothing_runs(#[case] why: &str, #[case] make: fn(&TestBox)) {
    let test = scene();
    make(&test);
    let outcome = test.run(&["call", "-", "--json"], delete());
    outcome.assert_code(1);
    assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
    assert_eq!(
        refusal(&test, &outcome),
        ("no_approver".into(), "no_approver".into())
    );
    assert!(test.work().join("build/x").exists());
    let asked = test.run(&["ask", "list"], "");
    asked.assert_code(5);
    assert!(asked.stderr.contains("\nhint: start one"), "{}", asked.stderr);
}

/// Closing the desk is nobody to ask, silence is a timeout, and a cancelled agent is gone from the desk.
#[test]
fn closing_silence_and_cancelling_are_told_apart() {
    let test = scene();
    let mut desk = Desk::start(&test, &[]);
    let outcome = std::thread::scope(|threads| {
        let calling = threads.spawn(|| test.run(&["call", "-", "--json"], delete()));
        wait_for_a_question(&test);
        desk.end();
        calling.join().unwrap()
    });
    assert_eq!(
        refusal(&test, &outcome),
        ("no_approver".into(), "no_approver".into())
    );

    let desk = Desk::start(&test, &[]);
    let outcome = test.run(&["call", "-", "--json", "--deadline-seconds", "1"], delete());
    assert_eq!(refusal(&test, &outcome), ("timeout".into(), "timeout".into()));

    let mut gate = Asking::begin(&desk, 1);
    gate.say(&format!(
        "{}\n",
        json!({"v": 2, "say": {"withdraw": {"id": id(1), "why": "cancelled"}}})
    ));
    let end = Instant::now() + PATIENCE;
    while !list(&test).is_empty() {
        assert!(Instant::now() < end, "the question stays");
    }
    let late = test.run(&["ask", "allow", &id(1)], "");
    late.assert_code(1);
    assert!(late.stderr.contains("does not wait any more"), "{}", late.stderr);
}

/// A gate that is killed leaves no question behind.
#[test]
fn the_question_of_a_dead_gate_disappears() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    test.write("delete.jsonl", &delete());
    let mut child = test.command(&["call", "../delete.jsonl"]).spawn().unwrap();
    let asked = wait_for_a_question(&test);
    child.kill().unwrap();
    child.wait().unwrap();
    let end = Instant::now() + PATIENCE;
    while !list(&test).is_empty() {
        assert!(Instant::now() < end, "the question stays");
    }
    test.run(&["ask", "allow", asked["id"].as_str().unwrap()], "")
        .assert_code(1);
    assert!(test.work().join("build/x").exists());
}

#[test]
fn one_desk_at_a_time() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let second = test.run(&["desk", "--no-screen"], "");
    second.assert_code(2);
    assert!(
        second.stderr.contains("a desk is running already"),
        "{}",
        second.stderr
    );
    assert_eq!(
        fs::metadata(&desk.place).unwrap().permissions().mode() & 0o777,
        0o700
    );
    for socket in ["gates.sock", "people.sock"] {
        let mode = fs::metadata(desk.place.join(socket))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{socket}");
    }
    let without = test.run(&["desk", "--desk", "../other"], "");
    without.assert_code(2);
    assert!(
        without.stderr.contains("no terminal for the screen"),
        "{}",
        without.stderr
    );
    drop(desk);
    // What a dead desk left behind is in nobody's way.
    drop(Desk::start(&test, &[]));
}
