//! Looking at the text and moving through it.

use super::super::Reason;
use super::{Read, Reader};

/// Bytes that end a word unless they are quoted.
pub(super) const fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>'
    )
}

/// Bytes that a name may begin with.
pub(super) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Bytes that a name may go on with.
pub(super) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Reader<'t> {
    /// The next byte; none at the end of the part.
    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    /// The byte after `ahead` others.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.rest().as_bytes().get(ahead).copied()
    }

    /// What is left of the part.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Moves on and counts the work.
    pub(super) fn advance(&mut self, bytes: usize) -> Read<()> {
        self.at = self.at.saturating_add(bytes).min(self.end);
        if self.budget.spend(bytes.max(1)) {
            Ok(())
        } else {
            self.stop(Reason::TooMuchWork)
        }
    }

    /// Moves past this text when it stands here.
    pub(super) fn eat(&mut self, text: &str) -> Read<bool> {
        let here = self.rest().starts_with(text);
        if here {
            self.advance(text.len())?;
        }
        Ok(here)
    }

    /// Moves past this text, or ends the reading.
    pub(super) fn expect(&mut self, text: &str) -> Read<()> {
        if self.eat(text)? {
            Ok(())
        } else {
            self.stop(Reason::Syntax)
        }
    }

    /// Length of the run of bytes here that are `wanted`.
    pub(super) fn run(&self, from: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let bytes = self.rest().as_bytes().iter().skip(from);
        bytes.take_while(|byte| wanted(**byte)).count()
    }

    /// Length of the name that stands here; 0 when none does.
    pub(super) fn name_length(&self) -> usize {
        match self.peek() {
            Some(byte) if is_name_start(byte) => self.run(0, is_name),
            _ => 0,
        }
    }

    /// Blanks and continued lines between words.
    pub(super) fn blanks(&mut self) -> Read<()> {
        loop {
            let blanks = self.run(0, |byte| matches!(byte, b' ' | b'\t'));
            if blanks > 0 {
                self.advance(blanks)?;
            } else if self.is_continued() {
                self.continued_line()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Whether a backslash before a line break stands here.
    pub(super) fn is_continued(&self) -> bool {
        self.rest().starts_with("\\\n")
    }

    pub(super) fn continued_line(&mut self) -> Read<()> {
        if self.one_line {
            return self.stop(Reason::Continuation);
        }
        self.advance(2)
    }

    /// After an operator: a continued line must not hide that the operator goes on.
    pub(super) fn operator_ends(&self) -> Read<()> {
        let mut ahead = 0;
        while self.peek_at(ahead) == Some(b'\\') && self.peek_at(ahead + 1) == Some(b'\n') {
            ahead += 2;
        }
        let next = self.peek_at(ahead);
        if ahead > 0 && matches!(next, Some(b'&' | b'|' | b';' | b'<' | b'>' | b'(' | b')' | b'-')) {
            return self.stop(Reason::Continuation);
        }
        Ok(())
    }

    /// A comment, when one begins here. Only called where a word could begin.
    pub(super) fn comment(&mut self) -> Read<()> {
        if self.peek() == Some(b'#') {
            self.advance(self.run(0, |byte| byte != b'\n'))?;
        }
        Ok(())
    }

    /// A line break, and the here-documents that begin after it.
    pub(super) fn line_break(&mut self) -> Read<()> {
        if self.one_line {
            return self.stop(Reason::HereDocument);
        }
        self.expect("\n")?;
        self.waiting_heredocs()
    }

    /// Blanks, comments and line breaks.
    pub(super) fn gap(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            self.comment()?;
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.line_break()?;
        }
    }
}
