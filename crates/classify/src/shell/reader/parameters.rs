//! `${ … }`

use super::super::change::Change;
use super::super::{Piece, Reason};
use super::cursor::{is_name, is_name_start};
use super::expansions::{Quoting, is_special};
use super::word_builder::WordBuilder;
use super::{Read, Reader};

impl<'t> Reader<'t> {
    pub(super) fn parameter(&mut self, word: &mut WordBuilder, quoting: Quoting) -> Read<()> {
        self.deeper(|reader| {
            reader.advance(2)?;
            let start = reader.at;
            let mut change = None;
            let (name, plain, kept) = match reader.peek() {
                Some(b'#') if reader.peek_at(1) != Some(b'}') => {
                    reader.advance(1)?;
                    let name = reader.parameter_name()?;
                    reader.subscript()?;
                    reader.expect("}")?;
                    (name, false, false)
                }
                Some(b'!') if reader.peek_at(1) != Some(b'}') => {
                    reader.bash_only()?;
                    reader.names_like()?;
                    (reader.slice(start, reader.at - 1), false, false)
                }
                _ => {
                    let name = reader.parameter_name()?;
                    let indexed = reader.subscript()?;
                    let name = if indexed {
                        reader.slice(start, reader.at)
                    } else {
                        name
                    };
                    let plain = reader.eat("}")?;
                    if !plain && !indexed {
                        change = reader.change();
                    }
                    (name, plain, plain || reader.keeps_the_value())
                }
            };
            word.push_piece(Piece::Variable {
                name: name.to_owned(),
                quoted: quoting.is_quoted(),
                plain,
                kept,
                change,
            });
            let closed = reader.slice(start, reader.at).ends_with('}');
            if closed {
                Ok(())
            } else {
                reader.operator(word, quoting, name)
            }
        })
    }

    /// What the operator here does, when its text is plain.
    fn change(&self) -> Option<Change> {
        Change::of(self.rest().split('}').next()?)
    }

    /// Whether the operator here leaves a value as it is, or takes something off its end.
    fn keeps_the_value(&self) -> bool {
        match self.peek() {
            Some(b'-' | b'=' | b'?' | b'%') => true,
            Some(b':') => matches!(self.peek_at(1), Some(b'-' | b'=' | b'?')),
            _ => false,
        }
    }

    fn parameter_name(&mut self) -> Read<&'t str> {
        let start = self.at;
        let length = match self.peek() {
            Some(byte) if is_name_start(byte) => self.run(0, is_name),
            Some(byte) if byte.is_ascii_digit() => self.run(0, |byte| byte.is_ascii_digit()),
            Some(byte) if is_special(byte) => 1,
            _ => return self.stop(Reason::Expansion),
        };
        self.advance(length)?;
        Ok(self.slice(start, self.at))
    }

    /// `[3]`, `[@]` or `[*]`. Anything else is arithmetic.
    fn subscript(&mut self) -> Read<bool> {
        if self.peek() != Some(b'[') {
            return Ok(false);
        }
        self.bash_only()?;
        let digits = self.run(1, |byte| byte.is_ascii_digit());
        let length = match self.peek_at(1) {
            Some(b'@' | b'*') => 1,
            _ => digits,
        };
        if length == 0 || self.peek_at(1 + length) != Some(b']') {
            return self.stop(Reason::Subscript);
        }
        self.advance(2 + length)?;
        Ok(true)
    }

    /// `${!prefix@}`, `${!prefix*}`, `${!array[@]}`: names and subscripts. `${!name}` would be the value of another.
    fn names_like(&mut self) -> Read<()> {
        self.advance(1)?;
        let name = self.name_length();
        self.advance(name)?;
        let all = ["@}", "*}", "[@]}", "[*]}"];
        if let Some(end) = all.iter().find(|end| name > 0 && self.rest().starts_with(**end)) {
            return self.advance(end.len());
        }
        self.stop(Reason::Expansion)
    }

    fn operator(&mut self, word: &mut WordBuilder, quoting: Quoting, name: &str) -> Read<()> {
        let Some(byte) = self.peek() else {
            return self.stop(Reason::Unterminated);
        };
        self.advance(1)?;
        match byte {
            b':' => match self.peek() {
                Some(b'=') => self.assigned(name, None, self.from(self.at)),
                Some(b'-' | b'?' | b'+') => {}
                _ => return self.offsets(),
            },
            b'=' => self.assigned(name, None, self.from(self.at)),
            b'-' | b'?' | b'+' | b'#' | b'%' => {}
            b'/' | b'^' | b',' => self.bash_only()?,
            // Quoted, or in another case: the value stays a value.
            b'@' if matches!(self.peek(), Some(b'Q' | b'U' | b'u' | b'L')) => {
                self.bash_only()?;
                self.advance(1)?;
                return self.expect("}");
            }
            _ => return self.stop(Reason::Expansion),
        }
        self.operand_of_parameter(word, quoting)
    }

    /// `${x:1}`, `${x: -2:1}`: offsets are arithmetic.
    fn offsets(&mut self) -> Read<()> {
        self.bash_only()?;
        let length = self.run(0, |byte| {
            byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b':')
        });
        self.advance(length)?;
        if self.peek() != Some(b'}') {
            return self.stop(Reason::Arithmetic);
        }
        self.advance(1)
    }

    /// What follows the operator. Outside double quotes, quotes quote as usual; inside, they are not read. Its text is no part of what is known of the word, but its substitutions run.
    fn operand_of_parameter(&mut self, word: &mut WordBuilder, quoting: Quoting) -> Read<()> {
        loop {
            let Some(byte) = self.peek() else {
                return self.stop(Reason::Unterminated);
            };
            match byte {
                b'}' => return self.advance(1),
                b'$' => {
                    let mut inner = WordBuilder::default();
                    if matches!(self.peek_at(1), Some(b'\'' | b'"')) {
                        return self.stop(Reason::QuotesInExpansion);
                    }
                    self.dollar(&mut inner, quoting)?;
                    word.append_moving(inner);
                }
                b'`' => {
                    let mut inner = WordBuilder::default();
                    self.backquotes(&mut inner, quoting)?;
                    word.append_moving(inner);
                }
                b'\'' | b'"' if quoting.is_quoted() => return self.stop(Reason::QuotesInExpansion),
                b'\'' => self.single_quoted(&mut WordBuilder::default())?,
                b'"' => {
                    let mut inner = WordBuilder::default();
                    self.double_quoted(&mut inner)?;
                    word.append_moving(inner);
                }
                b'\\' if quoting.is_quoted() && !self.peek_at(1).is_some_and(is_harmless) => {
                    return self.stop(Reason::Expansion);
                }
                b'\\' if self.is_continued() => return self.stop(Reason::Continuation),
                b'\\' => self.escaped(&mut WordBuilder::default())?,
                b'{' | b'(' | b')' | b'<' | b'>' | b'\n' => return self.stop(Reason::Expansion),
                _ => self.advance(1)?,
            }
        }
    }
}

/// Characters that mean the same with and without a backslash, as far as syntax goes.
const fn is_harmless(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b' ' | b'_'
                | b'-'
                | b'.'
                | b'/'
                | b':'
                | b'='
                | b'+'
                | b'@'
                | b'%'
                | b'^'
                | b'#'
                | b','
                | b'*'
                | b'?'
                | b'&'
                | b'|'
                | b';'
                | b'!'
                | b'~'
        )
}
