/// Why the log could not be opened, written or read.
#[derive(Debug, thiserror::Error)]
#[error("the audit log failed")]
pub struct Error {
    kind: ErrorKind,
}

/// The small set of reasons a caller may decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The place is unusable: a link, a directory, wrong owner, wrong mode.
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
        self.kind
    }
}
