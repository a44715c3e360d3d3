//! The home of processes, environment and clock in these tasks.
#![expect(
    clippy::disallowed_methods,
    reason = "tasks run programs: this is their one home"
)]

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// One program to run, without standard input.
pub(crate) struct Run {
    command: Command,
    /// What is shown in place of the whole command.
    shown: Option<String>,
}

impl Run {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        Self { command, shown: None }
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn arg(self, arg: impl AsRef<OsStr>) -> Self {
        self.args([arg])
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Shows this in place of a command with very many words.
    pub(crate) fn shown_as(mut self, text: String) -> Self {
        self.shown = Some(text);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Shows the command, runs it with our own output, and says whether it succeeded.
    pub(crate) fn succeeds(mut self) -> Result<bool, String> {
        self.show();
        let status = self.command.status().map_err(|error| self.lost(&error))?;
        Ok(status.success())
    }

    /// Runs the command with our own output, and gives its exit code; 1 when a signal ended it. Shows nothing.
    pub(crate) fn code(mut self) -> Result<u8, String> {
        let status = self.command.status().map_err(|error| self.lost(&error))?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(code.unwrap_or(1))
    }

    /// Shows the command and hands on every line of its two outputs, in the order they were written.
    pub(crate) fn lines(self, each: impl FnMut(&str)) -> Result<bool, String> {
        self.show();
        self.unshown_lines(each)
    }

    /// Hands on every line of its two outputs, in the order they were written. Shows nothing.
    pub(crate) fn unshown_lines(mut self, mut each: impl FnMut(&str)) -> Result<bool, String> {
        let (reader, writer) = io::pipe().map_err(|error| self.lost(&error))?;
        let second = writer.try_clone().map_err(|error| self.lost(&error))?;
        self.command.stdout(writer).stderr(second);
        let mut child = self.command.spawn().map_err(|error| self.lost(&error))?;
        // The command holds our copies of the pipe's writing end: the pipe ends only when they are closed.
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .map_err(|error| self.lost(&error))?
            > 0
        {
            each(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
            line.clear();
        }
        let status = child.wait().map_err(|error| self.lost(&error))?;
        Ok(status.success())
    }

    /// What it writes to standard output; `None` when it cannot be started or fails. Shows nothing.
    pub(crate) fn quietly(mut self) -> Option<String> {
        let output = self.command.stderr(Stdio::null()).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn show(&self) {
        if let Some(shown) = &self.shown {
            println!("$ {shown}");
            return;
        }
        let program = Path::new(self.command.get_program());
        let mut words = vec![program.file_name().unwrap_or(program.as_os_str())];
        words.extend(self.command.get_args());
        println!("$ {}", words.join(OsStr::new(" ")).to_string_lossy());
    }

    fn lost(&self, error: &io::Error) -> String {
        format!(
            "`{}` cannot be run: {error}",
            self.command.get_program().to_string_lossy()
        )
    }
}

/// The cargo that runs us, or the one on the path.
pub(crate) fn cargo() -> OsString {
    variable("CARGO").map_or_else(|| "cargo".into(), Into::into)
}

/// The program that runs now.
pub(crate) fn ourselves() -> Result<OsString, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program has no name: {error}"))?;
    Ok(program.into_os_string())
}

/// An environment variable, when it is set and readable.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The monotonic clock.
pub(crate) fn now() -> Instant {
    Instant::now()
}
