//! `$'…'`

use super::super::Reason;
use super::input;
use super::word_builder::WordBuilder;
use super::{Read, Reader};

impl Reader<'_> {
    /// `$'…'`: escapes as in C. The text must be UTF-8 in the end, and ends nowhere before its quote.
    pub(super) fn ansi_quoted(&mut self, word: &mut WordBuilder) -> Read<()> {
        let start = self.at;
        self.advance(2)?;
        let mut bytes = Vec::new();
        loop {
            let length = self.run(0, |byte| !matches!(byte, b'\'' | b'\\'));
            let text = self.slice(self.at, self.at + length);
            self.may_break(text)?;
            bytes.extend_from_slice(text.as_bytes());
            self.advance(length)?;
            match self.peek() {
                Some(b'\'') => break,
                Some(_) => bytes.push(self.escape()?),
                None => return self.stop_from(start, Reason::Unterminated),
            }
        }
        self.advance(1)?;
        let Ok(text) = String::from_utf8(bytes) else {
            return self.stop_from(start, Reason::NotText);
        };
        if text.chars().any(input::is_hidden) {
            return self.stop_from(start, Reason::HiddenCharacter);
        }
        word.push(&text);
        Ok(())
    }

    /// One escape that makes one byte. What ends a string (`\0`) or depends on the locale (`\u` beyond ASCII) does not.
    fn escape(&mut self) -> Read<u8> {
        let start = self.at;
        self.advance(1)?;
        let Some(byte) = self.peek() else {
            return self.stop(Reason::Unterminated);
        };
        self.advance(1)?;
        let value = match byte {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 0x1b,
            b'f' => 0x0c,
            b'n' => b'\n'.into(),
            b'r' => b'\r'.into(),
            b't' => b'\t'.into(),
            b'v' => 0x0b,
            b'\\' | b'\'' | b'"' | b'?' => byte.into(),
            b'0'..=b'7' => {
                self.at -= 1;
                self.number(3, 8)?
            }
            b'x' => self.number(2, 16)?,
            b'u' => ascii(self.number(4, 16)?),
            b'U' => ascii(self.number(8, 16)?),
            b'c' => match self.peek() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.advance(1)?;
                    (letter & 0x1f).into()
                }
                _ => 0,
            },
            _ => 0,
        };
        match u8::try_from(value) {
            Ok(value) if value != 0 => Ok(value),
            _ => self.stop_from(start, Reason::Escape),
        }
    }

    /// At most this many digits; 0, which no escape may make, when there are none.
    fn number(&mut self, most: usize, base: u32) -> Read<u32> {
        let digits = self.run(0, |byte| char::from(byte).is_digit(base)).min(most);
        let value = u32::from_str_radix(self.slice(self.at, self.at + digits), base).unwrap_or(0);
        self.advance(digits)?;
        Ok(value)
    }
}

const fn ascii(value: u32) -> u32 {
    if value < 0x80 { value } else { 0 }
}
