//! The one encoding of paths that are not UTF-8.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes with padding.
#[must_use]
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0_usize, |word, index| {
            word << 8 | usize::from(chunk.get(index).copied().unwrap_or_default())
        });
        for index in 0..4 {
            let digit = ALPHABET.get(word >> (18 - 6 * index) & 63).copied();
            match digit {
                Some(digit) if index <= chunk.len() => text.push(char::from(digit)),
                _ => text.push('='),
            }
        }
    }
    text
}

/// Decodes what [`encode`] writes; anything else is `None`.
#[must_use]
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut word = 0_u32;
    for (count, byte) in (1_u32..).zip(text.trim_end_matches('=').bytes()) {
        let digit = ALPHABET.iter().position(|digit| *digit == byte)?;
        word = word << 6 | u32::try_from(digit).ok()?;
        if count % 4 != 1 {
            let shift = match count % 4 {
                2 => 4,
                3 => 2,
                _ => 0,
            };
            bytes.push(u8::try_from(word >> shift & 0xff).ok()?);
        }
    }
    (encode(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn goes_both_ways() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"\xff", "/w=="),
            (b"ab", "YWI="),
            (b"abc", "YWJj"),
            (b"abcd", "YWJjZA=="),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        assert_eq!(decode("YWJ"), None);
        assert_eq!(decode("Y*=="), None);
        assert_eq!(decode("/x=="), None);
    }
}
