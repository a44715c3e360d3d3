//! SHA-256 in hexadecimal.

use sha2::{Digest, Sha256};

pub(crate) fn hex(bytes: &[u8]) -> String {
    digits(&Sha256::digest(bytes))
}

pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that hexadecimal digits name.
pub(crate) fn from_digits(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs
        .map(|pair| Some(pair.first()? * 16 + pair.last()?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{digits, from_digits, hex};

    #[test]
    fn digits_go_both_ways() {
        assert_eq!(from_digits("00ff7A"), Some(vec![0, 255, 0x7a]));
        assert_eq!(from_digits("0"), None);
        assert_eq!(from_digits("0g"), None);
        assert_eq!(digits(&[0, 255]), "00ff");
        assert!(hex(b"").starts_with("e3b0c442"));
    }
}
