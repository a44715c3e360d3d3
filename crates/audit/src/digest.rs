use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// HMAC-SHA-256 under the log's own key: equal inputs are equal, short secrets cannot be guessed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyedDigest(pub(crate) [u8; 32]);

/// SHA-256 of a record's line, the link of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordHash(pub(crate) [u8; 32]);

impl KeyedDigest {
    /// For ledgers that are not files: a digest made elsewhere.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl RecordHash {
    /// What the first record of a log names as the hash before it.
    pub const ZERO: Self = Self([0; 32]);

    /// For ledgers that are not files: a hash made elsewhere.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 lower-case hexadecimal digits, the only spelling a line may have.
    pub(crate) fn from_hex(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return None;
        }
        let mut wrong = 0;
        for (byte, pair) in bytes.iter_mut().zip(text.as_chunks().0) {
            let [high, low] = pair.map(nibble);
            // Looked at once, at the end: a branch for each digit costs more than all digits.
            wrong |= high | low;
            *byte = high << 4 | low & 15;
        }
        (wrong & WRONG == 0).then_some(Self(bytes))
    }
}

/// The key that arguments are digested under. Shows nothing of itself.
#[derive(Clone)]
pub(crate) struct DigestKey(Hmac<Sha256>);

impl DigestKey {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        // HMAC pads a key to its block with zeros, so a whole block is the same key without a fallible constructor.
        let mut block = [0; 64];
        for (to, from) in block.iter_mut().zip(key) {
            *to = *from;
        }
        Self(Hmac::new(&block.into()))
    }

    pub(crate) fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        let mut mac = self.0.clone();
        mac.update(bytes);
        KeyedDigest(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DigestKey(..)")
    }
}

macro_rules! shown_as_hex {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                hexadecimal(&self.0, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

shown_as_hex!(KeyedDigest, RecordHash);

/// Writes bytes as lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write as _;
    let digit = |value: u8| {
        char::from(if value < 10 {
            b'0' + value
        } else {
            b'a' + value - 10
        })
    };
    bytes.iter().try_for_each(|byte| {
        f.write_char(digit(byte >> 4))?;
        f.write_char(digit(byte & 15))
    })
}

/// What is no digit.
const WRONG: u8 = 0x80;

fn nibble(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => WRONG,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyed_digest_is_hmac_sha_256() {
        // RFC 4231 keys are shorter than ours; the value is HMAC-SHA-256 of "" under 32 zero bytes.
        let empty = DigestKey::new(&[0; 32]).digest(b"");
        assert_eq!(
            empty.to_string(),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        );
    }

    #[test]
    fn hexadecimal_reads_back_in_one_spelling_only() {
        let hash = RecordHash::of(b"x");
        assert_eq!(RecordHash::from_hex(hash.to_string().as_bytes()), Some(hash));
        assert_eq!(
            RecordHash::from_hex(hash.to_string().to_uppercase().as_bytes()),
            None
        );
        assert_eq!(RecordHash::from_hex(b"00"), None);
    }

    #[test]
    fn a_key_shows_nothing_of_itself() {
        assert_eq!(format!("{:?}", DigestKey::new(&[7; 32])), "DigestKey(..)");
    }
}
