//! Substitutions: the commands in them are read like any others.

use super::super::{GroupKind, Piece, Place, Reason};
use super::expansions::Quoting;
use super::word_builder::WordBuilder;
use super::{Read, Reader};

impl Reader<'_> {
    /// `$( … )` and `$(( … ))`
    pub(super) fn dollar_parenthesis(&mut self, word: &mut WordBuilder, quoting: Quoting) -> Read<()> {
        if self.peek_at(2) == Some(b'(') {
            // Without a blank between them bash tries arithmetic first.
            self.advance(3)?;
            word.push_piece(Piece::Arithmetic);
            self.deeper(|reader| reader.arithmetic(word))?;
            return Ok(());
        }
        let group = self.parenthesised(GroupKind::Command, 2)?;
        word.push_piece(Piece::Substitution {
            group,
            quoted: quoting.is_quoted(),
        });
        Ok(())
    }

    /// A list up to its closing parenthesis; `opening` bytes open it.
    pub(super) fn parenthesised(&mut self, kind: GroupKind, opening: usize) -> Read<usize> {
        let place = self.ahead(opening);
        self.advance(opening)?;
        self.operator_ends()?;
        self.nested(kind, place, |reader| {
            let closable = std::mem::replace(&mut reader.closable, true);
            reader.list(false)?;
            reader.no_heredoc_waits()?;
            reader.closable = closable;
            reader.expect(")")
        })
    }

    /// Text up to the next backquote. Bash looks for that one before it reads what is inside.
    pub(super) fn backquotes(&mut self, word: &mut WordBuilder, quoting: Quoting) -> Read<()> {
        let start = self.at;
        let place = self.ahead(1);
        self.advance(1)?;
        let length = self.run(0, |byte| byte != b'`');
        let inside = self.slice(self.at, self.at + length);
        if self.at + length >= self.end {
            return self.stop_from(start, Reason::Unterminated);
        }
        if inside.contains('\\') || (quoting.is_quoted() && inside.contains('"')) {
            return self.stop_from(start, Reason::Backquotes);
        }
        self.may_break(inside)?;
        let end = std::mem::replace(&mut self.end, self.at + length);
        let group = self.nested(GroupKind::Backquotes, place, |reader| reader.whole())?;
        self.end = end;
        self.advance(1)?;
        word.push_piece(Piece::Substitution {
            group,
            quoted: quoting.is_quoted(),
        });
        Ok(())
    }

    /// Commands within a word: here-documents of the outer command wait until the word has ended.
    fn nested(
        &mut self,
        kind: GroupKind,
        place: Place,
        read: impl FnOnce(&mut Self) -> Read<()>,
    ) -> Read<usize> {
        self.deeper(|reader| {
            let pending = std::mem::take(&mut reader.pending);
            let one_line = reader.one_line;
            reader.one_line |= !pending.is_empty();
            let group = reader.inside(kind, place, read)?;
            reader.pending = pending;
            reader.one_line = one_line;
            Ok(group)
        })
    }

    const fn ahead(&self, bytes: usize) -> Place {
        Place {
            start: self.at,
            end: self.at + bytes,
        }
    }
}
