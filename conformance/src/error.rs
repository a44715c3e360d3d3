use std::fmt;
use std::path::Path;

/// Why the suite itself could not go on. What a subject does wrong is a result, not an error.
#[derive(Debug, Clone, thiserror::Error)]
pub struct Error {
    kind: ErrorKind,
    what: String,
}

/// The kinds of error, each with an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The command line.
    Usage,
    /// A family, or a file beside the families.
    Fixture,
    /// This machine.
    Host,
    /// The subject did not start, or speaks another version.
    SubjectStart,
    /// Nothing was selected.
    Nothing,
    /// A line of the baseline matches nothing or passes.
    StaleBaseline,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
        }
    }

    pub(crate) fn fixture(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Fixture, what)
    }

    /// The same, with the file that it is about.
    pub(crate) fn within(self, path: &Path) -> Self {
        Self {
            what: format!("{}: {}", path.display(), self.what),
            ..self
        }
    }

    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}
