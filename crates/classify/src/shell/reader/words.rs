//! One word, up to the next blank or operator.

use super::super::{GroupKind, Piece, Reason, Word};
use super::expansions::Quoting;
use super::word_builder::WordBuilder;
use super::{Read, Reader};

/// A word, and how it was written.
pub(super) struct Lexed {
    pub(super) word: Word,
    /// A line was continued within it.
    pub(super) continued: bool,
}

/// Bytes that mean nothing special in a word without quotes.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte >= 0x80
        || matches!(
            byte,
            b'_' | b'-' | b'.' | b'/' | b':' | b'=' | b'+' | b'@' | b'%' | b'^' | b'#' | b'!' | b']'
        )
}

impl Reader<'_> {
    /// A word, which must not be empty.
    pub(super) fn word(&mut self) -> Read<Lexed> {
        let start = self.at;
        let lexed = self.word_with(WordBuilder::default())?;
        if self.at == start {
            return self.stop(Reason::Syntax);
        }
        Ok(lexed)
    }

    /// The value of an assignment, which may be empty.
    pub(super) fn value(&mut self) -> Read<Lexed> {
        self.word_with(WordBuilder::of_value())
    }

    fn word_with(&mut self, mut word: WordBuilder) -> Read<Lexed> {
        let start = self.at;
        while self.word_part(&mut word, start)? {}
        let continued = word.continued;
        match word.finish(self.outward(self.from(start))) {
            Ok(word) => Ok(Lexed { word, continued }),
            Err(reason) => self.stop_from(start, reason),
        }
    }

    /// One part of a word; false where the word ends.
    fn word_part(&mut self, word: &mut WordBuilder, start: usize) -> Read<bool> {
        let plain = self.run(0, is_plain);
        if plain > 0 {
            word.push_plain(self.slice(self.at, self.at + plain));
            self.advance(plain)?;
            return Ok(true);
        }
        let Some(byte) = self.peek() else {
            return Ok(false);
        };
        match byte {
            b'\'' => self.single_quoted(word)?,
            b'"' => self.double_quoted(word)?,
            b'\\' if self.is_continued() => {
                self.continued_line()?;
                word.continued = true;
            }
            b'\\' => self.escaped(word)?,
            b'$' => self.dollar(word, Quoting::None)?,
            b'`' => self.backquotes(word, Quoting::None)?,
            b'*' | b'?' | b'[' => {
                word.push_glob(char::from(byte));
                self.advance(1)?;
            }
            b'{' | b'}' | b',' => {
                word.push_brace(char::from(byte));
                self.advance(1)?;
            }
            b'~' => {
                if word.tilde_counts(self.before(start)) {
                    word.push_piece(Piece::Tilde);
                } else {
                    word.push("~");
                }
                self.advance(1)?;
            }
            b'<' | b'>' if self.peek_at(1) == Some(b'(') => {
                self.bash_only()?;
                let kind = if byte == b'<' {
                    GroupKind::ProcessInput
                } else {
                    GroupKind::ProcessOutput
                };
                let group = self.parenthesised(kind, 2)?;
                word.push_piece(Piece::Substitution { group, quoted: false });
            }
            b'(' if matches!(self.before(start), Some(b'?' | b'*' | b'+' | b'@' | b'!')) => {
                return self.stop(Reason::ExtendedGlob);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The byte before this one in the word that began at `start`.
    fn before(&self, start: usize) -> Option<u8> {
        self.slice(start, self.at).as_bytes().last().copied()
    }
}
