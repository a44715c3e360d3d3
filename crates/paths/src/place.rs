use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use crate::visible::Spelled;

/// The canonical absolute place of an object, for display, records and comparison. It opens nothing (R5).
///
/// `Display` makes control characters, invalid UTF-8, bidirectional and zero-width characters visible, and hides nothing: it is
/// for the person whose paths they are. `Debug` says how long it is and no more, because a name may hold a secret and what
/// is printed to find a fault ends up anywhere.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// One component of a path: it cannot hold a separator or NUL and is not empty, `.` or `..` (R9). `Display` and `Debug` are as
/// those of [`Place`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({} bytes)", self.as_bytes().len())
    }
}

impl fmt::Debug for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Leaf({} bytes)", self.as_bytes().len())
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
    fn what_is_printed_to_find_a_fault_tells_no_name() {
        let place = Place::from_bytes(b"/w/token=hunter2".to_vec());
        let leaf = Leaf::from_bytes(b"hunter2").unwrap();
        assert_eq!(format!("{place:?} {leaf:?}"), "Place(16 bytes) Leaf(7 bytes)");
        assert_eq!(format!("{place} {leaf}"), "/w/token=hunter2 hunter2");
    }

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
