use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::os::clock;
use crate::{Error, ErrorKind};

/// Held while a program is started and while one is written: a child that is not yet the new program has every open
/// file, and a program that is open for writing anywhere cannot be run.
pub(crate) static STARTING: Mutex<()> = Mutex::new(());

/// The command has a process group of its own.
fn spawn(command: &mut Command) -> std::io::Result<Process> {
    let _one_at_a_time = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    command.spawn().map(|child| Process { child, status: None })
}

/// What a subject finds around it: nothing but this.
pub(crate) struct Surroundings<'a> {
    pub(crate) directory: &'a Path,
    pub(crate) home: &'a Path,
    pub(crate) temporary: &'a Path,
}

fn bare(words: &[OsString], directory: &Path) -> Result<Command, Error> {
    let (program, rest) = words
        .split_first()
        .ok_or_else(|| Error::new(ErrorKind::Usage, "a command needs a program".to_owned()))?;
    let mut command = Command::new(program);
    command
        .args(rest)
        .current_dir(directory)
        .env_clear()
        .env("PATH", search_path())
        .env("LANG", "C.UTF-8")
        .process_group(0);
    Ok(command)
}

/// Starts a subject in a process group of its own.
pub(crate) fn start(words: &[OsString], around: &Surroundings<'_>) -> Result<Process, Error> {
    let mut command = bare(words, around.directory)?;
    command
        .env("HOME", around.home)
        .env("TMPDIR", around.temporary)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    spawn(&mut command)
        .map_err(|error| Error::new(ErrorKind::SubjectStart, format!("{}: {error}", shown(words))))
}

/// A started program and its process group.
///
/// INVARIANT: the group is killed only before its leader was waited for. Until then the system gives the leader's number
/// to nobody else; afterwards the same number may be the group of a stranger.
pub(crate) struct Process {
    child: Child,
    status: Option<ExitStatus>,
}

impl Process {
    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    pub(crate) fn stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Kills the program and its group, and waits for it. The second time, nothing.
    pub(crate) fn kill(&mut self) {
        if self.status.is_none() {
            if let Some(group) = self.pid() {
                // Gone already is as good as killed.
                let _gone = kill_process_group(group, Signal::KILL);
            }
            self.status = self.child.wait().ok();
        }
    }

    /// Waits until the program has ended by itself, and then kills what it left in its group. None when it has not
    /// ended at the deadline.
    pub(crate) fn ended(&mut self, deadline: Duration) -> Option<ExitStatus> {
        let start = clock::now();
        while self.status.is_none() {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            match waitid(WaitId::Pid(self.pid()?), options) {
                Ok(Some(_)) => self.kill(),
                Ok(None) if clock::now().duration_since(start) < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(None) | Err(_) => return None,
            }
        }
        self.status
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a command prints within the deadline; an error when it fails, hangs or cannot be started.
pub(crate) fn output(words: &[OsString], directory: &Path, deadline: Duration) -> Result<Vec<u8>, Error> {
    let fault = |what: String| Error::new(ErrorKind::Host, format!("{}: {what}", shown(words)));
    let mut command = bare(words, directory)?;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = spawn(&mut command).map_err(|error| fault(error.to_string()))?;
    let Some(mut stdout) = child.stdout() else {
        return Err(fault("no standard output".to_owned()));
    };
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| bytes)
    });
    let well = child.ended(deadline).is_some_and(|status| status.success());
    child.kill();
    let bytes = reader
        .join()
        .map_err(|_| fault("the reader ended".to_owned()))?
        .map_err(|error| fault(error.to_string()))?;
    if well {
        Ok(bytes)
    } else {
        Err(fault("it failed or took too long".to_owned()))
    }
}

/// What a program that is asked something finds around it.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    pub(crate) directory: PathBuf,
    pub(crate) env: Vec<(String, OsString)>,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    Code(i32),
    Signal,
    /// Not within the deadline; it was killed.
    Late,
    /// It never ran.
    NotStarted(String),
}

/// Everything that a program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) ended: Ended,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Runs a program to its end with this standard input. One that does not read it is none the worse for it.
pub(crate) fn ask(
    words: &[OsString],
    around: &Around,
    input: Vec<u8>,
    deadline: Duration,
) -> Result<Said, Error> {
    let mut command = bare(words, &around.directory)?;
    command
        .env("TMPDIR", std::env::temp_dir())
        .envs(around.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = spawn(&mut command)
        .map_err(|error| Error::new(ErrorKind::SubjectStart, format!("{}: {error}", shown(words))))?;
    let stdin = process.stdin();
    let writer = std::thread::spawn(move || {
        let _not_read = stdin.map(|mut stdin| stdin.write_all(&input));
    });
    let stdout = whole(process.stdout());
    let stderr = whole(process.stderr());
    let ended = match process.ended(deadline) {
        Some(status) => status.code().map_or(Ended::Signal, Ended::Code),
        None => Ended::Late,
    };
    process.kill();
    let lost = |_| Error::new(ErrorKind::Host, "a reader ended");
    writer.join().map_err(lost)?;
    Ok(Said {
        ended,
        stdout: stdout.join().map_err(lost)?,
        stderr: stderr.join().map_err(lost)?,
    })
}

/// Reads a stream to its end on a thread of its own.
fn whole(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What came before an error counts.
            let _broken = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The program that runs now.
pub(crate) fn this_program() -> Result<PathBuf, Error> {
    std::env::current_exe().map_err(|error| Error::new(ErrorKind::Host, error.to_string()))
}

/// Whether a variable is set to something.
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into())
}

fn shown(words: &[OsString]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}

/// Starts a program in our process group, with our own environment but for what is around it.
pub(crate) fn start_beside(words: &[OsString], around: &Around) -> Result<Child, Error> {
    let (program, rest) = words
        .split_first()
        .ok_or_else(|| Error::new(ErrorKind::Usage, "a command needs a program".to_owned()))?;
    Command::new(program)
        .args(rest)
        .current_dir(&around.directory)
        .envs(around.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Error::new(ErrorKind::SubjectStart, format!("{}: {error}", shown(words))))
}

/// Starts a program with our own environment and directory, in our process group.
pub(crate) fn start_with_same_surroundings(words: &[OsString]) -> Result<Child, Error> {
    let (program, rest) = words
        .split_first()
        .ok_or_else(|| Error::new(ErrorKind::Usage, "a command needs a program".to_owned()))?;
    Command::new(program)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Error::new(ErrorKind::SubjectStart, format!("{}: {error}", shown(words))))
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::Path;
    use std::time::Duration;

    use rustix::process::{Pid, test_kill_process};

    use super::{Surroundings, start};

    #[test]
    fn what_a_program_leaves_behind_is_killed_with_it() {
        let root = Path::new("/");
        let around = Surroundings {
            directory: root,
            home: root,
            temporary: root,
        };
        let words = ["/bin/sh", "-c", "sleep 600 > /dev/null & echo $!"].map(Into::into);
        let mut process = start(&words, &around).unwrap();
        let mut said = String::new();
        process.stdout().unwrap().read_to_string(&mut said).unwrap();
        assert!(process.ended(Duration::from_secs(10)).unwrap().success());
        // A group that was killed is gone, or is waiting for its new parent to notice.
        let left = Pid::from_raw(said.trim().parse().unwrap()).unwrap();
        let state = || super::super::disk::text(Path::new(&format!("/proc/{}/stat", left.as_raw_pid())));
        let zombie = || state().is_ok_and(|state| state.contains(") Z "));
        let gone = || test_kill_process(left).is_err() || zombie();
        let start = super::clock::now();
        while !gone() && super::clock::now().duration_since(start) < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        assert!(gone(), "it still runs");
        // Its number may belong to a stranger now: this must do nothing.
        process.kill();
        assert!(process.status.is_some_and(|status| status.success()));
    }
}
