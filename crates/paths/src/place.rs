use std::ffi::{OsStr, OsString};
use std::fmt;

/// The canonical absolute place of an object, for display, records and comparison. It opens nothing.
///
/// `Display` makes control characters, invalid UTF-8, bidirectional and zero-width characters visible.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(OsString);

impl Place {
    /// The bytes, to hash or compare.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_encoded_bytes()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = f;
        todo!()
    }
}

/// One component of a path: it cannot hold a separator or NUL and is not empty, `.` or `..` (R9).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(OsString);

impl Leaf {
    /// The name as one component, or nothing when it is not one.
    pub(crate) fn new(name: &OsStr) -> Option<Self> {
        let bytes = name.as_encoded_bytes();
        let one = !matches!(bytes, b"" | b"." | b"..") && !bytes.iter().any(|byte| matches!(byte, b'/' | 0));
        one.then(|| Self(name.to_os_string()))
    }

    /// The bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_encoded_bytes()
    }
}
