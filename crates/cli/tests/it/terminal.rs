//! A person at a terminal: a pseudo-terminal whose other side is the controlling terminal of the program.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use crate::harness::{PROGRAM, TestBox};

const TERMINAL: &str = "PORTCULLIS_TEST_TERMINAL";
const ARGUMENTS: &str = "PORTCULLIS_TEST_ARGUMENTS";
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that runs at a terminal, and the keyboard and screen of that terminal.
pub(crate) struct Sitting {
    keyboard: OwnedFd,
    screen: String,
    child: Child,
    output: std::path::PathBuf,
}

impl Sitting {
    /// Starts the program; `typed_ahead` is in the terminal before it starts.
    pub(crate) fn start(test: &TestBox, args: &[&str], typed_ahead: &str) -> Self {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap().into_string().unwrap();
        rustix::io::write(&keyboard, typed_ahead.as_bytes()).unwrap();
        let output = test.root().join("output");
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "terminal::session_leader", "--nocapture"])
            .env_clear()
            .env("HOME", test.home())
            .env(TERMINAL, name)
            .env(ARGUMENTS, serde_json::to_string(args).unwrap())
            .current_dir(test.work())
            .stdin(Stdio::null())
            .stdout(File::create(&output).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            keyboard,
            screen: String::new(),
            child,
            output,
        }
    }

    /// Waits until the screen shows this.
    pub(crate) fn wait_for(&mut self, text: &str) -> &mut Self {
        let end = Instant::now() + PATIENCE;
        while !self.screen.contains(text) {
            assert!(Instant::now() < end, "never saw {text:?} on {:?}", self.screen);
            self.look();
        }
        self
    }

    pub(crate) fn type_keys(&mut self, keys: &str) -> &mut Self {
        rustix::io::write(&self.keyboard, keys.as_bytes()).unwrap();
        self
    }

    /// Waits for the end: exit code, and the lines of standard output that are JSON.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<Value>, String) {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "did not end: {:?}", self.screen);
            self.look();
        };
        let output = std::fs::read_to_string(&self.output).unwrap();
        let lines = output
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(Value::is_object)
            .collect();
        (status.code(), lines, self.screen)
    }

    /// Reads what came onto the screen, waiting a little when there is nothing.
    fn look(&mut self) {
        let mut ready = [PollFd::new(&self.keyboard, PollFlags::IN)];
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: 20_000_000,
        };
        if poll(&mut ready, Some(&wait)).unwrap() == 0 || !ready[0].revents().contains(PollFlags::IN) {
            return;
        }
        let mut bytes = [0; 4096];
        if let Ok(read) = rustix::io::read(&self.keyboard, &mut bytes) {
            self.screen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    }
}

/// Not a case of its own but the way into a session: started by [`Sitting::start`] with a terminal named, it makes that
/// the controlling terminal of a new session and becomes the program. Started as a plain test it has nothing to do.
#[test]
fn session_leader() {
    let (Some(terminal), Ok(arguments)) = (std::env::var_os(TERMINAL), std::env::var(ARGUMENTS)) else {
        return;
    };
    rustix::process::setsid().unwrap();
    // The first terminal that a session leader opens becomes its controlling one.
    let _controlling = File::options().read(true).write(true).open(terminal).unwrap();
    let arguments: Vec<String> = serde_json::from_str(&arguments).unwrap();
    let error = Command::new(PROGRAM)
        .args(arguments)
        .env_remove(TERMINAL)
        .env_remove(ARGUMENTS)
        .exec();
    panic!("the program cannot be started: {error}");
}
