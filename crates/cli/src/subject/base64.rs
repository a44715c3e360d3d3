//! Paths that are not UTF-8, as the protocol sends them: standard alphabet, padded.

use serde_json::{Value, json};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A path as text, or as `{"b64": ...}` where it is none.
pub(super) fn path(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!(text),
        Err(_) => json!({"b64": encoded(bytes)}),
    }
}

fn encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| {
            bits << 8 | u32::from(group.get(at).copied().unwrap_or_default())
        });
        for (at, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let index = usize::try_from(bits >> shift & 63).unwrap_or_default();
            let digit = ALPHABET.get(index).copied().unwrap_or_default();
            text.push(match at <= group.len() {
                true => char::from(digit),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(b"", "")]
    #[case(b"f", "Zg==")]
    #[case(b"fo", "Zm8=")]
    #[case(b"foo", "Zm9v")]
    #[case(b"/a\xff\xfe", "L2H//g==")]
    fn the_vectors_of_the_standard(#[case] bytes: &[u8], #[case] expected: &str) {
        assert_eq!(encoded(bytes), expected);
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(path("/grüße".as_bytes()), json!("/grüße"));
        assert_eq!(path(b"/\xff"), json!({"b64": "L/8="}));
    }
}
