use std::fmt;
use std::path::Path;

use portcullis_classify::PolicyError;

use crate::visible;

/// Why a gate could not be built.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    text: String,
    hint: &'static str,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The small set of reasons a caller may decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A workspace root is missing, not a directory or not absolute.
    Workspace,
    /// The layers cannot be joined.
    Policy,
    /// The audit log cannot be opened, or none was named.
    Log,
}

impl Error {
    pub(crate) fn workspace(error: portcullis_paths::Error) -> Self {
        Self {
            kind: ErrorKind::Workspace,
            text: format!("the workspace cannot be opened: {error}"),
            hint: "name existing directories by absolute paths",
            source: Some(Box::new(error)),
        }
    }

    pub(crate) fn relative_workspace(root: &Path) -> Self {
        let root = visible(&root.to_string_lossy(), 200);
        Self {
            kind: ErrorKind::Workspace,
            text: format!("the workspace `{root}` depends on where it is read"),
            hint: "name existing directories by absolute paths",
            source: None,
        }
    }

    pub(crate) fn policy(error: PolicyError) -> Self {
        Self {
            kind: ErrorKind::Policy,
            text: error.to_string(),
            hint: error.hint(),
            source: Some(Box::new(error)),
        }
    }

    pub(crate) fn log(error: portcullis_audit::Error) -> Self {
        Self {
            kind: ErrorKind::Log,
            text: format!("the audit log cannot be opened: {error}"),
            hint: "`portcullis log verify` tells what is wrong with a log",
            source: Some(Box::new(error)),
        }
    }

    pub(crate) fn no_log() -> Self {
        Self {
            kind: ErrorKind::Log,
            text: "a gate needs an audit log".to_owned(),
            hint: "name one with `Builder::audit_log`",
            source: None,
        }
    }

    /// The user's file says another place for the log than the one that is written to.
    pub(crate) fn log_moved(now: &str, used: &Path) -> Self {
        let used = visible(&used.to_string_lossy(), 200);
        Self {
            kind: ErrorKind::Log,
            text: format!(
                "the user's file says {now} for the log, and this gate writes to `{used}` for as long as it runs"
            ),
            hint: "start the gate anew: a log is not left in the middle of a run",
            source: None,
        }
    }

    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        self.hint
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
