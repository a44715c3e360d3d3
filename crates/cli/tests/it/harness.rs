use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_portcullis");

/// A home and a workspace of one test's own.
pub(crate) struct TestBox {
    root: tempfile::TempDir,
    /// The test itself changed the log, which then says nothing about the gate.
    is_log_spoiled: AtomicBool,
}

/// A whole test run is held against its logs: where they are to be kept, when that is wanted.
const LOGS: &str = "PORTCULLIS_TEST_LOGS";

impl Drop for TestBox {
    fn drop(&mut self) {
        let Some(folder) = std::env::var_os(LOGS) else {
            return;
        };
        if self.is_log_spoiled.load(Ordering::SeqCst) || std::thread::panicking() || !self.log().is_file() {
            return;
        }
        let (root, folder) = (self.root(), PathBuf::from(folder));
        let name = root.file_name().unwrap().to_string_lossy().replace('.', "cli-");
        fs::copy(self.log(), folder.join(format!("{name}.jsonl"))).unwrap();
        let parts = self.log().with_file_name("audit.jsonl.d");
        if parts.exists() {
            let copy = folder.join(format!("{name}.jsonl.d"));
            fs::create_dir(&copy).unwrap();
            for part in fs::read_dir(parts).unwrap() {
                let part = part.unwrap();
                fs::copy(part.path(), copy.join(part.file_name())).unwrap();
            }
        }
    }
}

/// What the program did.
#[must_use = "look at the exit code, or at what was said"]
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestBox {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        // Where temporary directories live behind a link, the places in reports are the real ones.
        fs::create_dir(root.path().join("home")).unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        Self {
            root,
            is_log_spoiled: AtomicBool::new(false),
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        fs::canonicalize(self.root.path()).unwrap()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    pub(crate) fn policy(&self) -> PathBuf {
        self.home().join(".config/portcullis/policy.toml")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.home().join(".local/state/portcullis/audit.jsonl")
    }

    /// From here on the test may change the log.
    pub(crate) fn spoil_log(&self) {
        self.is_log_spoiled.store(true, Ordering::SeqCst);
    }

    /// Writes a file and its parents.
    pub(crate) fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The program in the workspace, with this home and nothing else in its environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(args)
            .env_clear()
            .env("HOME", self.home())
            .current_dir(self.work())
            // In the background of whoever runs the tests: their terminal is never asked.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str], stdin: impl AsRef<[u8]>) -> Outcome {
        Outcome::of(self.command(args), stdin.as_ref())
    }
}

impl Outcome {
    pub(crate) fn of(mut command: Command, stdin: &[u8]) -> Self {
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let bytes = stdin.to_vec();
        let feeder = std::thread::spawn(move || {
            // A program that denies early does not read to the end.
            let _unread = input.write_all(&bytes);
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The lines of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect()
    }

    /// The program ended with this code.
    pub(crate) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

/// One call of ours.
pub(crate) fn call(id: &str, tool: &str, args: Value) -> String {
    format!("{}\n", serde_json::json!({"id": id, "tool": tool, "args": args}))
}
