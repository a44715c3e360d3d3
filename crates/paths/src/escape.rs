//! Text that is safe to look at: what a terminal would hide, reorder or obey is spelled out.

use std::fmt::{self, Write as _};

/// Shows bytes with everything invisible spelled out, and no more than a bounded number of characters.
pub(crate) struct Visible<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) limit: usize,
}

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.limit;
        for chunk in self.bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                if left == 0 {
                    return f.write_char('…');
                }
                left -= 1;
                match c {
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    '\\' => f.write_str("\\\\")?,
                    c if hidden(c) || odd_space(c) || c == '`' => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                    c => f.write_char(c)?,
                }
            }
            for byte in chunk.invalid() {
                if left == 0 {
                    return f.write_char('…');
                }
                left -= 1;
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// A control, bidirectional, zero-width or otherwise default-ignorable character.
pub(crate) fn hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || ignorable(c)
}

/// Unicode's `Default_Ignorable_Code_Point`: file systems that fold names drop these.
pub(crate) fn ignorable(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The spaces that some tools turn into a plain one (R1).
pub(crate) fn odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{00a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// A name that a person cannot read as it is: hidden characters or bytes that are not UTF-8.
pub(crate) fn unusual(name: &[u8]) -> bool {
    std::str::from_utf8(name).map_or(true, |name| name.chars().any(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8]) -> String {
        Visible { bytes, limit: 40 }.to_string()
    }

    #[test]
    fn what_a_terminal_hides_is_spelled_out() {
        assert_eq!(shown(b"a\x1b[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(shown("x\u{202e}txt.exe".as_bytes()), "x\\u{202e}txt.exe");
        assert_eq!(shown(".\u{200b}git".as_bytes()), ".\\u{200b}git");
        assert_eq!(shown("my\u{a0}file".as_bytes()), "my\\u{a0}file");
        assert_eq!(shown(b"b\xff.txt"), "b\\xff.txt");
        assert_eq!(shown(b"two\nlines\\`"), "two\\nlines\\\\\\u{60}");
        assert_eq!(shown("café".as_bytes()), "café");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shown(&[b'a'; 100]).chars().count(), 41);
    }
}
