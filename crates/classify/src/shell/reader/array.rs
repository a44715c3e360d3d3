//! Assignments before a command, arrays among them.

use super::super::{Assignment, Reason, Word};
use super::{Read, Reader};

impl Reader<'_> {
    /// An assignment, when one stands here.
    pub(super) fn assignment(&mut self) -> Read<Option<Assignment>> {
        let start = self.at;
        let length = self.name_length();
        if length == 0 {
            return Ok(None);
        }
        let name = self.slice(start, start + length);
        let mut ahead = length;
        let mut array = false;
        if self.peek_at(ahead) == Some(b'[') {
            let digits = self.run(ahead + 1, |byte| byte.is_ascii_digit());
            if digits == 0 || self.peek_at(ahead + 1 + digits) != Some(b']') {
                return self.stop(Reason::Subscript);
            }
            ahead += digits + 2;
            array = true;
        }
        let appends = self.peek_at(ahead) == Some(b'+') && self.peek_at(ahead + 1) == Some(b'=');
        if appends {
            ahead += 1;
        }
        if self.peek_at(ahead) != Some(b'=') {
            return Ok(None);
        }
        if array || appends || self.peek_at(ahead + 1) == Some(b'(') {
            self.bash_only()?;
        }
        self.advance(ahead + 1)?;
        let place = self.from(start);
        let values = if self.peek() == Some(b'(') && !array {
            array = true;
            self.elements()?
        } else {
            let lexed = self.value()?;
            if self.peek() == Some(b'(') {
                return self.stop(Reason::Syntax);
            }
            vec![lexed.word]
        };
        let whole = values.first().filter(|_| !array && !appends);
        self.assigned(name, whole.and_then(Word::literal), place);
        Ok(Some(Assignment {
            name: name.to_owned(),
            appends,
            array,
            values,
        }))
    }

    /// `(a [3]=b c)`
    fn elements(&mut self) -> Read<Vec<Word>> {
        let start = self.at;
        self.advance(1)?;
        let mut words = Vec::new();
        loop {
            self.blanks()?;
            let before = self.at;
            match self.peek() {
                Some(b')') => {
                    self.advance(1)?;
                    return Ok(words);
                }
                Some(b'\n') => {
                    self.may_break("\n")?;
                    self.advance(1)?;
                    continue;
                }
                Some(b'[') => self.element_subscript()?,
                Some(b'#') => {
                    self.comment()?;
                    continue;
                }
                None => return self.stop_from(start, Reason::Unterminated),
                Some(_) => {}
            }
            words.push(self.value_or_word()?);
            // Neither a subscript nor a word stands here, but an operator: no element starts with one.
            if self.at == before {
                return self.stop(Reason::Syntax);
            }
        }
    }

    /// `[3]=` before an element. Other brackets may be a subscript too.
    fn element_subscript(&mut self) -> Read<()> {
        let digits = self.run(1, |byte| byte.is_ascii_digit());
        let closes = self.peek_at(digits + 1) == Some(b']') && self.peek_at(digits + 2) == Some(b'=');
        if digits == 0 || !closes {
            return self.stop(Reason::Subscript);
        }
        self.advance(digits + 3)
    }

    fn value_or_word(&mut self) -> Read<Word> {
        let after_subscript = self.slice(0, self.at).ends_with("]=");
        let lexed = if after_subscript {
            self.value()?
        } else {
            self.word()?
        };
        if lexed.continued || self.peek() == Some(b'(') {
            return self.stop(Reason::Syntax);
        }
        Ok(lexed.word)
    }
}
