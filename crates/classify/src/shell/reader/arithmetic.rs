//! Arithmetic: numbers, and variables that hold numbers for certain.

use super::super::{Piece, Reason};
use super::counts::is_count;
use super::cursor::{is_name, is_name_start};
use super::expansions::Quoting;
use super::word_builder::WordBuilder;
use super::{Read, Reader};

/// Operators and blanks. No quote: what stands in it would be read in another way.
const fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'+'
            | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'<'
            | b'>'
            | b'='
            | b'!'
            | b'&'
            | b'|'
            | b'^'
            | b'~'
            | b'?'
            | b':'
            | b','
    )
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// In a word.
    Word,
    /// In `((…))`.
    Command,
    /// In the head of a counting loop: three of them.
    Head,
}

impl Reader<'_> {
    /// The rest of `$((…))`, the closing parentheses included. What it substitutes becomes a part of the word.
    pub(super) fn arithmetic(&mut self, word: &mut WordBuilder) -> Read<()> {
        self.expression(Stand::Word, word)
    }

    /// The rest of `((…))`.
    pub(super) fn arithmetic_command(&mut self) -> Read<()> {
        self.expression(Stand::Command, &mut WordBuilder::default())
    }

    /// The head of a counting loop.
    pub(super) fn counting_head(&mut self) -> Read<()> {
        self.expression(Stand::Head, &mut WordBuilder::default())
    }

    fn expression(&mut self, stand: Stand, word: &mut WordBuilder) -> Read<()> {
        let parts = stand == Stand::Head;
        let mut open = 0_usize;
        let mut semicolons = 0;
        // Names that this part sets for certain, once it has been evaluated.
        let mut set = Vec::new();
        let mut begins = true;
        loop {
            let Some(byte) = self.peek() else {
                return self.stop(Reason::Arithmetic);
            };
            match byte {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b')' => {
                    // One parenthesis alone closes a subshell: then this was never arithmetic.
                    if self.peek_at(1) != Some(b')') || parts != (semicolons == 2) {
                        return self.stop(Reason::Arithmetic);
                    }
                    self.numbers_are_set(&mut set);
                    return self.advance(2);
                }
                b';' if parts && open == 0 => {
                    self.numbers_are_set(&mut set);
                    semicolons += 1;
                }
                b'0'..=b'9' => {
                    self.number_in_arithmetic()?;
                    begins = false;
                    continue;
                }
                b'$' | b'`' => {
                    self.moving_in_arithmetic(word)?;
                    begins = false;
                    continue;
                }
                _ if is_name_start(byte) => {
                    let sure = begins && open == 0 && stand != Stand::Word && semicolons == 0;
                    set.extend(self.name_in_arithmetic()?.filter(|_| sure));
                    begins = false;
                    continue;
                }
                _ if is_operator(byte) => {}
                _ => return self.stop(Reason::Arithmetic),
            }
            begins = match byte {
                b' ' | b'\t' => begins,
                b',' => open == 0,
                _ => false,
            };
            self.advance(1)?;
        }
    }

    /// A number; a base or letters behind it are not read.
    fn number_in_arithmetic(&mut self) -> Read<()> {
        let hexadecimal = self.peek() == Some(b'0') && matches!(self.peek_at(1), Some(b'x' | b'X'));
        let digits = if hexadecimal {
            2 + self.run(2, |byte| byte.is_ascii_hexdigit())
        } else {
            self.run(0, |byte| byte.is_ascii_digit())
        };
        self.advance(digits)?;
        match self.peek() {
            Some(byte) if is_name(byte) || byte == b'#' => self.stop(Reason::Arithmetic),
            _ => Ok(()),
        }
    }

    /// A name. Gives it when nothing is done to it but that it gets a value.
    fn name_in_arithmetic(&mut self) -> Read<Option<String>> {
        let start = self.at;
        let name = self.slice(start, start + self.name_length()).to_owned();
        self.advance(name.len())?;
        let place = self.from(start);
        let blanks = self.run(0, |byte| matches!(byte, b' ' | b'\t'));
        match (self.peek_at(blanks), self.peek_at(blanks + 1)) {
            (Some(b'['), _) => self.stop(Reason::Arithmetic),
            (Some(b'='), next) if next != Some(b'=') => {
                self.assigned(&name, None, place);
                Ok(Some(name))
            }
            _ => {
                self.used_as_number(&name, Reason::Arithmetic, place);
                Ok(None)
            }
        }
    }

    /// A value that is put into the expression before it is evaluated.
    fn moving_in_arithmetic(&mut self, word: &mut WordBuilder) -> Read<()> {
        let start = self.at;
        let mut inner = WordBuilder::default();
        if self.peek() == Some(b'`') {
            self.backquotes(&mut inner, Quoting::Double)?;
        } else {
            self.dollar(&mut inner, Quoting::Double)?;
        }
        let place = self.from(start);
        let inner = inner.into_pieces();
        match inner.as_slice() {
            [Piece::Arithmetic] => {}
            [Piece::Substitution { group, .. }] if is_count(&self.script, *group) => {}
            [
                Piece::Variable {
                    name, plain: true, ..
                },
            ] if matches!(name.as_str(), "#" | "?" | "$") => {}
            [
                Piece::Variable {
                    name, plain: true, ..
                },
            ] => {
                self.used_as_number(name, Reason::Arithmetic, place);
            }
            _ => self.doubt(Reason::Arithmetic, place),
        }
        for piece in inner {
            if matches!(piece, Piece::Substitution { .. }) {
                word.push_piece(piece);
            }
        }
        // More of a name or of a number would stand there then.
        match self.peek() {
            Some(byte) if is_name(byte) || matches!(byte, b'#' | b'[') => self.stop(Reason::Arithmetic),
            _ => Ok(()),
        }
    }
}
