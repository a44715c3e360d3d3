use std::ffi::OsString;
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
    /// The bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_encoded_bytes()
    }
}
