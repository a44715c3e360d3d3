//! What a dollar sign begins.

use super::super::{Piece, Reason};
use super::cursor::{is_name, is_name_start};
use super::word_builder::WordBuilder;
use super::{Read, Reader};

/// What stands around a dollar sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    None,
    Double,
    Heredoc,
}

impl Quoting {
    pub(super) const fn is_quoted(self) -> bool {
        !matches!(self, Self::None)
    }
}

/// Parameters whose name is a sign.
pub(super) const fn is_special(byte: u8) -> bool {
    matches!(byte, b'?' | b'$' | b'!' | b'#' | b'@' | b'*' | b'-')
}

impl Reader<'_> {
    pub(super) fn dollar(&mut self, word: &mut WordBuilder, quoting: Quoting) -> Read<()> {
        let Some(next) = self.peek_at(1) else {
            word.push("$");
            return self.advance(1);
        };
        match next {
            b'(' => return self.dollar_parenthesis(word, quoting),
            b'{' => return self.parameter(word, quoting),
            b'[' => return self.stop(Reason::OldArithmetic),
            b'\'' if quoting == Quoting::None => {
                self.bash_only()?;
                return self.ansi_quoted(word);
            }
            b'"' if quoting == Quoting::None => {
                self.bash_only()?;
                self.advance(1)?;
                let mut inner = WordBuilder::default();
                self.double_quoted(&mut inner)?;
                word.append(inner);
                return Ok(());
            }
            // The dollar sign may join what stands on the next line.
            b'\\' if self.peek_at(2) == Some(b'\n') => return self.stop(Reason::Continuation),
            _ => {}
        }
        let length = if is_name_start(next) {
            self.run(1, is_name)
        } else if next.is_ascii_digit() || is_special(next) {
            1
        } else {
            word.push("$");
            return self.advance(1);
        };
        let name = self.slice(self.at + 1, self.at + 1 + length).to_owned();
        self.advance(1 + length)?;
        if self.is_continued() {
            return self.stop(Reason::Continuation);
        }
        if quoting.is_quoted() {
            word.push_piece(Piece::Variable {
                name,
                quoted: true,
                plain: true,
                kept: true,
                change: None,
            });
        } else {
            word.push_open_variable(name);
        }
        Ok(())
    }
}
