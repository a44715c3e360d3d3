//! Quoted text.

use super::super::Reason;
use super::expansions::Quoting;
use super::word_builder::WordBuilder;
use super::{Read, Reader};

impl Reader<'_> {
    /// `'…'`: everything up to the next quote stands for itself.
    pub(super) fn single_quoted(&mut self, word: &mut WordBuilder) -> Read<()> {
        let start = self.at;
        self.advance(1)?;
        let length = self.run(0, |byte| byte != b'\'');
        let text = self.slice(self.at, self.at + length);
        self.may_break(text)?;
        self.advance(length)?;
        if !self.eat("'")? {
            return self.stop_from(start, Reason::Unterminated);
        }
        word.push(text);
        Ok(())
    }

    /// `"…"`
    pub(super) fn double_quoted(&mut self, word: &mut WordBuilder) -> Read<()> {
        let start = self.at;
        self.advance(1)?;
        loop {
            let length = self.run(0, |byte| !matches!(byte, b'"' | b'$' | b'`' | b'\\'));
            let text = self.slice(self.at, self.at + length);
            self.may_break(text)?;
            word.push(text);
            self.advance(length)?;
            match self.peek() {
                Some(b'"') => return self.advance(1),
                Some(b'$') => self.dollar(word, Quoting::Double)?,
                Some(b'`') => self.backquotes(word, Quoting::Double)?,
                Some(_) => self.backslash_within(word, Quoting::Double)?,
                None => return self.stop_from(start, Reason::Unterminated),
            }
        }
    }

    /// A backslash outside quotes: the next character stands for itself.
    pub(super) fn escaped(&mut self, word: &mut WordBuilder) -> Read<()> {
        let Some(char) = self.rest().chars().nth(1) else {
            return self.stop(Reason::Unterminated);
        };
        let end = self.at + 1 + char.len_utf8();
        word.push(self.slice(self.at + 1, end));
        self.advance(1 + char.len_utf8())
    }

    /// A backslash in double quotes or in a here-document: it quotes only what means something there.
    pub(super) fn backslash_within(&mut self, word: &mut WordBuilder, quoting: Quoting) -> Read<()> {
        match self.peek_at(1) {
            Some(b'\n') => {
                word.continued = true;
                return self.continued_line();
            }
            Some(b'"') if quoting == Quoting::Heredoc => word.push("\\\""),
            Some(b'$' | b'`' | b'"' | b'\\') => word.push(self.slice(self.at + 1, self.at + 2)),
            Some(_) => {
                word.push("\\");
                return self.advance(1);
            }
            None => return self.stop(Reason::Unterminated),
        }
        self.advance(2)
    }

    /// Text that reaches over a line break is not certain while a here-document waits for one.
    pub(super) fn may_break(&self, text: &str) -> Read<()> {
        if text.contains('\n') && (self.one_line || !self.pending.is_empty()) {
            return self.stop(Reason::HereDocument);
        }
        Ok(())
    }
}
