use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use crate::visible::Spelled;

/// The canonical absolute place of an object, for display, records and comparison. It opens nothing (R5).
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

    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(OsString::from_vec(bytes))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes();
        Spelled {
            bytes,
            limit: usize::MAX,
        }
        .fmt(f)
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

    /// As [`Leaf::new`], from bytes.
    pub(crate) fn from_bytes(name: &[u8]) -> Option<Self> {
        Self::new(OsStr::from_bytes(name))
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes();
        Spelled {
            bytes,
            limit: usize::MAX,
        }
        .fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_is_one_component() {
        for bad in [&b""[..], b".", b"..", b"a/b", b"/", b"a\0b"] {
            assert_eq!(Leaf::from_bytes(bad), None, "{bad:?}");
        }
        for good in [&b"a"[..], b"..a", b"...", b" ", b"\xff", b"a\\b"] {
            assert_eq!(Leaf::from_bytes(good).unwrap().as_bytes(), good);
        }
    }
}
