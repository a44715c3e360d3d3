use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::redact::escape;

/// Why the log could not be opened, written or read.
///
/// Prints one sentence that names the file and what the system said; [`Error::hint`] says what to do about it.
#[derive(Clone)]
pub struct Error(Arc<Inner>);

struct Inner {
    kind: ErrorKind,
    noun: &'static str,
    what: String,
    path: Option<PathBuf>,
    source: Option<io::Error>,
}

/// What an error is about, unless it says otherwise.
const LOG: &str = "the audit log";

/// The small set of reasons a caller may decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The place is unusable: a link, a directory, wrong owner, wrong mode, replaced while open.
    Place,
    /// Another process held the lock past the bound.
    Locked,
    /// The chain is broken before the end: nothing is appended to it.
    Broken,
    /// A record is larger than the bound.
    TooLarge,
    /// An input or output error; the record is not durable.
    Io,
}

impl Error {
    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file it is about, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self.0.kind {
            ErrorKind::Place => {
                "the log must be a regular file of mode 0600, owned by you, in a directory only you can write"
            }
            ErrorKind::Locked => "another process keeps the log busy; see who has it open, then try again",
            ErrorKind::Broken => {
                "run `portcullis log verify`; to start a new log, move this one away with everything that begins with its name"
            }
            ErrorKind::TooLarge => "split the call: it names too many or too long resources for one record",
            ErrorKind::Io => "check the disk's free space and health, and that it is mounted writable",
        }
    }

    pub(crate) fn new(kind: ErrorKind, path: &Path, what: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            kind,
            noun: LOG,
            what: what.into(),
            path: Some(path.to_owned()),
            source: None,
        }))
    }

    pub(crate) fn place(path: &Path, what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Place, path, what)
    }

    pub(crate) fn io(path: &Path, what: impl Into<String>, source: impl Into<io::Error>) -> Self {
        Self::new(ErrorKind::Io, path, what).because(source)
    }

    pub(crate) fn because(mut self, source: impl Into<io::Error>) -> Self {
        // An error that is being made has no other owner.
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.source = Some(source.into());
        }
        self
    }

    /// Calls the file something else than the audit log.
    pub(crate) fn of(mut self, noun: &'static str) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.noun = noun;
        }
        self
    }
}

/// For ledgers that are not files: an error with nothing to say beyond its kind.
impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        let what = match kind {
            ErrorKind::Place => "the audit log's place is unusable",
            ErrorKind::Locked => "the audit log is locked",
            ErrorKind::Broken => "the audit log's chain is broken",
            ErrorKind::TooLarge => "the record is too large for the audit log",
            ErrorKind::Io => "the audit log could not be written or read",
        };
        Self(Arc::new(Inner {
            kind,
            noun: LOG,
            what: what.to_owned(),
            path: None,
            source: None,
        }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.path {
            Some(path) => write!(
                f,
                "{} `{}` {}",
                self.0.noun,
                escape(path.as_os_str().as_encoded_bytes()),
                self.0.what
            )?,
            None => f.write_str(&self.0.what)?,
        }
        match &self.0.source {
            Some(source) => write!(f, ": {}", said(source)),
            None => Ok(()),
        }
    }
}

/// What the system said, as the end of a sentence: without its number, and in lower case.
fn said(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("text", &self.to_string())
            .field("source", &self.0.source)
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0
            .source
            .as_ref()
            .map(|source| source as &(dyn std::error::Error + 'static))
    }
}
