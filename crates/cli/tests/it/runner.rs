//! The suite's end of the process protocol, for one session of ours.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::harness::TestBox;

/// Long enough that a test never meets it, short enough that one which does ends.
pub(crate) const LONG: u64 = 20_000;
/// For questions that nobody answers.
pub(crate) const SHORT: u64 = 150;

/// The suite's end of the protocol, and the socket where people are.
pub(crate) struct Runner {
    pub(crate) test: TestBox,
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    people: UnixListener,
}

impl Runner {
    pub(crate) fn new() -> Self {
        let test = TestBox::new();
        let people = UnixListener::bind(test.root().join("ap.sock")).unwrap();
        fs::create_dir(test.root().join("config")).unwrap();
        fs::create_dir(test.root().join("state")).unwrap();
        let (child, stdin, stdout) = start(&test);
        let mut runner = Self {
            test,
            child,
            stdin: Some(stdin),
            stdout,
            people,
        };
        runner.hello();
        runner
    }

    /// A session where deletions ask and everything else in the workspace is allowed.
    pub(crate) fn opened(ask_timeout_ms: u64) -> Self {
        let mut runner = Self::new();
        let open = runner.open(ask_timeout_ms);
        assert_eq!(runner.request(&open), json!({"opened": {"session": "s-1"}}));
        runner
    }

    pub(crate) fn hello(&mut self) -> Value {
        self.request(&json!({"hello": {"protocol": 1, "run": "r-1"}}))
    }

    pub(crate) fn open(&self, ask_timeout_ms: u64) -> Value {
        let root = self.test.root();
        json!({"open": {
            "session": "s-1", "workspace": self.test.work(), "home": self.test.home(),
            "config": root.join("config"), "state": root.join("state"),
            "policy": {
                "otherwise": "ask", "allow": [{"tool": "*", "under": self.test.work()}],
                "ask": [{"tool": "delete", "under": self.test.work()}], "deny": [],
            },
            "project": null, "trust": {"workspace": "trusted"}, "approver": root.join("ap.sock"),
            "audit": root.join("audit.jsonl"), "ask_timeout_ms": ask_timeout_ms, "resume": false,
        }})
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: `{line}`"))
    }

    pub(crate) fn request(&mut self, message: &Value) -> Value {
        self.send(message);
        self.receive()
    }

    pub(crate) fn call(&self, id: &str, tool: &str, args: Value) -> Value {
        json!({"call": {
            "id": id, "session": "s-1", "tool": tool, "args": args, "cwd": self.test.work(), "agent": null,
        }})
    }

    pub(crate) fn delete(&self, id: &str, path: &str) -> Value {
        self.call(id, "delete", json!({"path": path, "recursive": false}))
    }

    /// The decision and the reason of a call, in one line.
    pub(crate) fn result(&mut self, id: &str) -> String {
        let answer = self.receive();
        let result = &answer["result"];
        assert_eq!(result["id"], id, "{answer}");
        assert_eq!(result["executed"], result["decision"] == "allow", "{answer}");
        format!(
            "{} {}",
            result["decision"].as_str().unwrap(),
            result["reason"].as_str().unwrap()
        )
    }

    /// Waits for a question.
    pub(crate) fn question(&self) -> (UnixStream, Value) {
        let (stream, _) = self.people.accept().unwrap();
        let mut line = String::new();
        BufReader::new(stream.try_clone().unwrap())
            .read_line(&mut line)
            .unwrap();
        (stream, serde_json::from_str(&line).unwrap())
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        let path = self.test.work().join(name);
        fs::write(&path, "x").unwrap();
        path
    }

    pub(crate) fn records(&self) -> Vec<Value> {
        let log = self.test.root().join("audit.jsonl");
        self.test
            .run(&["subject", "--export", log.to_str().unwrap()], "")
            .json()
    }

    /// Kills the process, starts another one and goes on with what the first one left.
    pub(crate) fn resume(&mut self) -> Value {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let (child, stdin, stdout) = start(&self.test);
        (self.child, self.stdin, self.stdout) = (child, Some(stdin), stdout);
        self.hello();
        let mut open = self.open(LONG);
        open["open"]["resume"] = json!(true);
        self.request(&open)
    }

    pub(crate) fn end(mut self) -> Option<i32> {
        self.send(&json!({"bye": {}}));
        self.child.wait().unwrap().code()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // A test that failed leaves it running.
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

fn start(test: &TestBox) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = test.command(&["subject"]).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, BufReader::new(stdout))
}

pub(crate) fn say(mut stream: &UnixStream, text: &str) {
    stream.write_all(text.as_bytes()).unwrap();
}

pub(crate) fn answer(question: &Value, verdict: &str) -> String {
    let ask = question["ask"]["id"].as_str().unwrap();
    format!("{}\n", json!({"answer": {"ask": ask, "verdict": verdict}}))
}
