use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a profile or the store cannot be used. Every project is then untrusted.
///
/// Prints one sentence; [`Error::hint`] says what to do about it.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    what: String,
    path: Option<PathBuf>,
    source: Option<io::Error>,
}

/// The small set of reasons a caller may decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A profile is not one.
    Profile,
    /// The store stands where it must not, or is not a file that only its owner can write.
    Place,
    /// The store holds something else than decisions. It was left as it is.
    Content,
    /// Another process held the store's lock past the bound.
    Locked,
    /// An input or output error; nothing was saved.
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
            ErrorKind::Profile => "compare it with the profiles that this crate ships",
            ErrorKind::Place => {
                "the trust store must be a regular file with one name, owned by you, that only you can write, outside every project"
            }
            ErrorKind::Content => {
                "it must be one JSON object of directories and true, false or null; mend it or move it away, it was left as it is"
            }
            ErrorKind::Locked => {
                "another process keeps the trust store busy; see who has it open, then try again"
            }
            ErrorKind::Io => "check the disk's free space and health, and that it is mounted writable",
        }
    }

    pub(crate) fn new(kind: ErrorKind, path: &Path, what: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            path: Some(path.to_owned()),
            source: None,
        }))
    }

    pub(crate) fn without_place(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            path: None,
            source: None,
        }))
    }

    pub(crate) fn profile(what: impl Into<String>) -> Self {
        Self::without_place(ErrorKind::Profile, what)
    }

    pub(crate) fn io(path: &Path, what: impl Into<String>, source: impl Into<io::Error>) -> Self {
        let mut error = Self::new(ErrorKind::Io, path, what);
        error.0.source = Some(source.into());
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.path {
            Some(path) => {
                let shown = portcullis_paths::visible(&path.to_string_lossy(), 300);
                write!(f, "the trust store `{shown}` {}", self.0.what)?;
            }
            None if self.0.kind == ErrorKind::Profile => f.write_str(&self.0.what)?,
            None => write!(f, "the trust store {}", self.0.what)?,
        }
        match &self.0.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.to_string())
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}
