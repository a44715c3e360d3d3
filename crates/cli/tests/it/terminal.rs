//! A person at a terminal: a pseudo-terminal whose other side is the controlling terminal of the program.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value;

use crate::harness::{PROGRAM, TestBox};

const TERMINAL: &str = "PORTCULLIS_TEST_TERMINAL";
const ARGUMENTS: &str = "PORTCULLIS_TEST_ARGUMENTS";
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that runs at a terminal, and the keyboard and screen of that terminal.
pub(crate) struct Sitting {
    /// `None` once it is closed.
    keyboard: Option<OwnedFd>,
    screen: String,
    child: Child,
    output: std::path::PathBuf,
}

impl Sitting {
    /// Starts the program; `typed_ahead` is in the terminal before it starts.
    pub(crate) fn start(test: &TestBox, args: &[&str], typed_ahead: &str) -> Self {
        Self::at(keyboard(), test, args, typed_ahead)
    }

    /// Starts the program at a terminal of this many rows and columns.
    pub(crate) fn start_sized(test: &TestBox, args: &[&str], (rows, columns): (u16, u16)) -> Self {
        let keyboard = keyboard();
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&keyboard, size).unwrap();
        Self::at(keyboard, test, args, "")
    }

    fn at(keyboard: OwnedFd, test: &TestBox, args: &[&str], typed_ahead: &str) -> Self {
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
            keyboard: Some(keyboard),
            screen: String::new(),
            child,
            output,
        }
    }

    /// Waits until the screen shows this.
    pub(crate) fn wait_for(&mut self, text: &str) -> &mut Self {
        self.wait_until(|screen| screen.contains(text));
        self
    }

    /// Waits until everything that was written so far makes this true, and gives it.
    pub(crate) fn wait_until(&mut self, shows: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        while !shows(&self.screen) {
            assert!(Instant::now() < end, "never saw it on {:?}", self.screen);
            self.look();
        }
        self.screen.clone()
    }

    /// Closes the terminal, and waits for the end of the program.
    pub(crate) fn hang_up(mut self) {
        drop(self.keyboard.take());
        self.child.wait().unwrap();
    }

    /// The person makes the window another size.
    pub(crate) fn resize(&self, (rows, columns): (u16, u16)) {
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(self.keyboard.as_ref().unwrap(), size).unwrap();
    }

    pub(crate) fn type_keys(&mut self, keys: &str) -> &mut Self {
        rustix::io::write(self.keyboard.as_ref().unwrap(), keys.as_bytes()).unwrap();
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
        (status.code(), lines, std::mem::take(&mut self.screen))
    }

    /// Reads what came onto the screen, waiting a little when there is nothing.
    fn look(&mut self) {
        let keyboard = self.keyboard.as_ref().unwrap();
        let mut ready = [PollFd::new(keyboard, PollFlags::IN)];
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: 20_000_000,
        };
        if poll(&mut ready, Some(&wait)).unwrap() == 0 || !ready[0].revents().contains(PollFlags::IN) {
            return;
        }
        let mut bytes = [0; 4096];
        if let Ok(read) = rustix::io::read(keyboard, &mut bytes) {
            self.screen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    }
}

impl Drop for Sitting {
    fn drop(&mut self) {
        // A test that failed leaves it running.
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

fn keyboard() -> OwnedFd {
    // Programs of other tests must not keep this terminal open.
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    keyboard
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
