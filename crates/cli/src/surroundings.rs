//! The home of the environment: what the program is told by where and how it was started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use etcetera::base_strategy::Xdg;
use portcullis::trust::Store;

use crate::failure::Failure;

/// Whether the program was started as a hook, for when the command line cannot be understood.
pub(crate) fn is_hook() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == "hook")
}

/// The program that runs, for a command line that starts it again.
pub(crate) fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| {
        Failure::fault(
            format!("the program does not know where it is: {error}"),
            "start it by its full path",
        )
    })
}

/// The environment, for the commands that the gate runs. Nothing keeps it: it is full of secrets.
#[expect(clippy::disallowed_methods, reason = "the home of the environment")]
pub(crate) fn variables() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os()
}

/// Who runs the program, as grants name it.
pub(crate) fn user() -> String {
    format!("uid:{}", rustix::process::geteuid().as_raw())
}

/// Read once, at the edge.
#[derive(Debug)]
pub(crate) struct Surroundings {
    directories: Option<Xdg>,
    current: Option<PathBuf>,
    claude_project: Option<PathBuf>,
    said: Vec<(String, String)>,
}

/// How the variables begin that are said to the gate.
const OURS: &str = "PORTCULLIS_";

const HOME_HINT: &str = "set HOME to your home directory";

impl Surroundings {
    #[expect(
        clippy::disallowed_methods,
        reason = "the home of the environment and the current directory"
    )]
    pub(crate) fn look() -> Self {
        Self {
            directories: Xdg::new().ok().filter(|found| found.home_dir().is_absolute()),
            current: std::env::current_dir().ok(),
            claude_project: std::env::var_os("CLAUDE_PROJECT_DIR")
                .filter(|value| !value.is_empty())
                .map(PathBuf::from),
            said: std::env::vars_os()
                .map(|(name, value)| (lossy(&name), lossy(&value)))
                .filter(|(name, _)| name.starts_with(OURS))
                .collect(),
        }
    }

    /// The user's home directory.
    pub(crate) fn home(&self) -> Result<&Path, Failure> {
        self.directories().map(Xdg::home_dir)
    }

    /// Where the user's configuration lives.
    pub(crate) fn config_directory(&self) -> Result<PathBuf, Failure> {
        self.directories()
            .map(|found| found.config_dir().join("portcullis"))
    }

    /// Where decisions on trust are kept.
    pub(crate) fn trust_store(&self) -> Result<Store, Failure> {
        let directory = self.config_directory()?;
        Ok(Store::new(directory.join("trust.json")).with_contents(directory.join("trust-contents.json")))
    }

    /// Where grants are kept that survive a restart.
    pub(crate) fn grants_file(&self) -> Result<PathBuf, Failure> {
        Ok(self.config_directory()?.join("grants.json"))
    }

    /// Where the audit log lives unless the user says otherwise.
    pub(crate) fn state_directory(&self) -> Result<PathBuf, Failure> {
        let found = self.directories()?;
        let state = found
            .state_dir()
            .unwrap_or_else(|| found.home_dir().join(".local/state"));
        Ok(state.join("portcullis"))
    }

    /// Where the desk is unless the user says otherwise.
    pub(crate) fn desk_directory(&self) -> Result<PathBuf, Failure> {
        match self.directories()?.runtime_dir() {
            Some(runtime) => Ok(runtime.join("portcullis")),
            None => Ok(self.state_directory()?.join("desk")),
        }
    }

    /// Where the program was started.
    pub(crate) fn current(&self) -> Result<&Path, Failure> {
        self.current.as_deref().ok_or_else(|| {
            Failure::usage(
                "the current directory is gone",
                "change to a directory that exists, or name one with `--workspace`",
            )
        })
    }

    /// The project that Claude Code was started in, as it tells its hooks.
    pub(crate) fn claude_project(&self) -> Option<&Path> {
        self.claude_project.as_deref()
    }

    /// What the environment says to the gate, as names and values.
    pub(crate) fn said(&self) -> impl Iterator<Item = (&str, &str)> {
        self.said
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// An absolute form of a path from the command line. `.` goes away; `..` stays, because only the disk knows where
    /// it leads.
    pub(crate) fn absolute(&self, path: &Path) -> Result<PathBuf, Failure> {
        let whole = match path.is_absolute() {
            true => path.to_path_buf(),
            false => self.current()?.join(path),
        };
        Ok(whole.components().collect())
    }

    fn directories(&self) -> Result<&Xdg, Failure> {
        self.directories
            .as_ref()
            .ok_or_else(|| Failure::usage("your home directory is not known", HOME_HINT))
    }
}

/// What is no text means nothing to the gate either, and is refused as that.
fn lossy(text: &std::ffi::OsStr) -> String {
    text.to_string_lossy().into_owned()
}
