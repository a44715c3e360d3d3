/// Why a text is not one plain Windows path. Each is a refusal (R8, R13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum WindowsFault {
    /// Nothing at all.
    #[error("is empty")]
    Empty,
    /// `C:name`: below the working directory that the process keeps for that drive.
    #[error("is relative to the working directory of a drive")]
    DriveRelative,
    /// `\\?\` switches the reading of `..` and of names off, `\\.\` leads to devices.
    #[error("is in the verbatim or device namespace")]
    Verbatim,
    /// `\??\`, the kernel's own prefix.
    #[error("is in the kernel's namespace")]
    NtNamespace,
    /// A network share that is not configured: looking at it already sends credentials.
    #[error("is on a network share")]
    Unc,
    /// `/c/x`, `/mnt/c/x`, `/cygdrive/c/x`: a drive to some tools, a directory to others.
    #[error("is spelled for another system on this machine")]
    ForeignRoot,
    /// A `file:` URL of something else than a path below a local drive.
    #[error("is not the URL of a file on a local drive")]
    NotAFileUrl,
    /// `:` in a name is an alternate stream.
    #[error("names an alternate stream")]
    Stream,
    /// `CON`, `NUL`, `COM1`, with superscript digits, with an extension, with blanks before the extension.
    #[error("names a device")]
    DeviceName,
    /// A dot or blank at the end of a name is dropped by Win32 and kept by others.
    #[error("has a name that ends in a dot or blank")]
    TrailingDotOrBlank,
    /// `<`, `>`, `"`, `|`, `?`, `*` and control characters.
    #[error("has a character that no name can have")]
    ForbiddenCharacter,
    /// A character that becomes a separator, dot or colon where text is narrowed to a code page.
    #[error("has a character that some programs read as a separator")]
    NarrowedCharacter,
    /// A name of more than 255 or a path of more than 32,766 UTF-16 units.
    #[error("is too long")]
    TooLong,
}
