/// What is to be done at the end of a path. It decides whether a trailing link is followed and whether the
/// last name may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Operation {
    /// Read a file's content.
    Read,
    /// List a directory's names.
    List,
    /// Read everything below a directory (recursive search).
    Search,
    /// Read metadata, following a trailing link.
    Stat,
    /// Read metadata of the name itself.
    Lstat,
    /// Read a link's text.
    ReadLink,
    /// Use as the working directory of a command.
    WorkingDir,
    /// Read as the source of a copy.
    CopyFrom,
    /// Write a file's content, creating it when it is missing.
    Write,
    /// Create a file that must not exist (a trailing link is an error).
    CreateNew,
    /// Create a directory and its missing parents.
    MakeDir,
    /// Change mode, owner or times.
    SetMeta,
    /// Remove one name: a file, a link itself, an empty directory.
    Delete,
    /// Remove a name and everything below it.
    DeleteTree,
    /// The old name of a rename.
    MoveFrom,
    /// The new name of a rename.
    MoveTo,
    /// The new name of a symbolic or hard link.
    LinkTo,
    /// The existing name that a hard link is made to.
    HardLinkFrom,
}
