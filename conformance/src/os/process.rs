use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::os::clock;
use crate::{Error, ErrorKind};

/// Held while a program is started and while one is written: a child that is not yet the new program has every open
/// file, and a program that is open for writing anywhere cannot be run.
pub(crate) static STARTING: Mutex<()> = Mutex::new(());

fn spawn(command: &mut Command) -> std::io::Result<Child> {
    let _one_at_a_time = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    command.spawn()
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
pub(crate) fn start(words: &[OsString], around: &Surroundings<'_>) -> Result<Child, Error> {
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

/// Kills a subject and whatever it started, and waits for it.
pub(crate) fn kill(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Gone already is as good as killed.
        let _gone = kill_process_group(group, Signal::KILL);
    }
    let _status = child.wait();
}

/// Waits until a process has ended by itself: whether it did, with success.
pub(crate) fn ended_well(child: &mut Child, deadline: Duration) -> bool {
    let start = clock::now();
    while clock::now().duration_since(start) < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => return false,
        }
    }
    false
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
    let Some(mut stdout) = child.stdout.take() else {
        return Err(fault("no standard output".to_owned()));
    };
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| bytes)
    });
    let well = ended_well(&mut child, deadline);
    kill(&mut child);
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
