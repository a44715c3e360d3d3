use std::fmt;

use rustix::io::Errno;

/// Why a path did not become a target, or a target could not be used.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    rule: Option<String>,
    source: Option<std::io::Error>,
}

/// The small set of reasons a caller may decide on. A violation is never "not found".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A deny rule covers the place; [`Error::rule`] names it.
    Protected,
    /// Nothing is there (inside a root; outside it reads the same as `Protected`).
    NotFound,
    /// The text cannot be decoded by the tool's dialect: NUL, bad `file://`, bad encoding, empty.
    Syntax,
    /// Two tools would read the text differently, or two models lead to different objects.
    Ambiguous,
    /// Process-relative or special: procfs links, FIFOs, sockets, devices.
    Special,
    /// A component that has to be a directory is not one.
    NotADirectory,
    /// The object has the wrong type for the operation.
    WrongType,
    /// Too many links.
    Loop,
    /// A name or the whole path is too long.
    TooLong,
    /// A mount boundary that the roots do not know.
    Mount,
    /// The operating system refuses to look.
    Denied,
    /// A root, the working directory or the object is no longer the one that was judged.
    Changed,
    /// The name exists already.
    Exists,
    /// A directory that has to be empty is not.
    NotEmpty,
    /// A bound on work was reached.
    Budget,
    /// This kind of machine cannot do it safely.
    Unsupported,
    /// Any other input or output error.
    Io,
    /// The configured zones are unusable (root missing, not a directory, not absolute).
    Zones,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self {
            kind,
            rule: None,
            source: None,
        }
    }

    /// The kind is what the error number says; the error itself stays as the source.
    pub(crate) fn io(source: std::io::Error) -> Self {
        Self {
            kind: source
                .raw_os_error()
                .map_or(ErrorKind::Io, |number| kind_of(Errno::from_raw_os_error(number))),
            rule: None,
            source: Some(source),
        }
    }

    pub(crate) fn os(number: Errno) -> Self {
        Self::io(number.into())
    }

    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
    /// A machine code, stable across versions: `path.protected`, `path.not-found`, ...
    #[must_use]
    pub fn code(&self) -> &'static str {
        todo!()
    }
    /// The deny rule that covers the place.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = (f, &self.source);
        todo!()
    }
}

impl std::error::Error for Error {}

fn kind_of(number: Errno) -> ErrorKind {
    match number {
        Errno::NOENT => ErrorKind::NotFound,
        Errno::ACCESS | Errno::PERM => ErrorKind::Denied,
        Errno::LOOP => ErrorKind::Loop,
        Errno::NAMETOOLONG => ErrorKind::TooLong,
        Errno::NOTDIR => ErrorKind::NotADirectory,
        Errno::ISDIR => ErrorKind::WrongType,
        Errno::XDEV => ErrorKind::Mount,
        Errno::EXIST => ErrorKind::Exists,
        Errno::NOTEMPTY => ErrorKind::NotEmpty,
        Errno::NOSYS | Errno::OPNOTSUPP => ErrorKind::Unsupported,
        _ => ErrorKind::Io,
    }
}
