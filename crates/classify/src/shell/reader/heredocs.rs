//! Here-documents: their text stands after the next line break.

use super::super::{Descriptor, Operator, Part, Reason, Word};
use super::cursor::is_meta;
use super::expansions::Quoting;
use super::word_builder::WordBuilder;
use super::{Read, Reader};

/// A here-document whose text has not come yet.
pub(super) struct Pending {
    part: Part,
    redirection: usize,
    mark: String,
    /// The end mark was quoted, so nothing in the text is expanded.
    literal: bool,
    tabs: bool,
}

/// Bytes of an end mark that are read without quotes.
const fn is_mark(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'-' | b'.' | b'+' | b':' | b'@' | b'%' | b'/' | b'=' | b'!' | b'^'
        )
}

impl Reader<'_> {
    /// The end mark: plain, or quoted as a whole. Bash removes quotes from others in ways that are not followed here.
    pub(super) fn heredoc_mark(
        &mut self,
        part: Part,
        operator: Operator,
        descriptor: Option<Descriptor>,
        start: usize,
    ) -> Read<()> {
        let from = self.at;
        let (skip, length) = match self.peek() {
            Some(b'\'') => (1, self.run(1, |byte| !matches!(byte, b'\'' | b'\n'))),
            Some(b'"') => (
                1,
                self.run(1, |byte| !matches!(byte, b'"' | b'\n' | b'$' | b'`' | b'\\')),
            ),
            Some(b'\\') => (1, self.run(1, is_mark)),
            _ => (0, self.run(0, is_mark)),
        };
        let mark = self.slice(from + skip, from + skip + length).to_owned();
        let quote = self.peek().filter(|byte| matches!(byte, b'\'' | b'"'));
        self.advance(skip + length)?;
        if let Some(quote) = quote {
            if self.peek() != Some(quote) {
                return self.stop_from(from, Reason::HereDocument);
            }
            self.advance(1)?;
        }
        let number = mark.bytes().all(|byte| byte.is_ascii_digit());
        let next = self.peek();
        if mark.is_empty()
            || next.is_some_and(|byte| !is_meta(byte))
            || (matches!(next, Some(b'<' | b'>')) && (number || self.peek_at(1) == Some(b'(')))
        {
            return self.stop_from(from, Reason::HereDocument);
        }
        let operand = Word::of_literal(mark.clone(), self.outward(self.from(from)));
        let place = self.from(start);
        self.redirect(part, operator, descriptor, operand, place);
        let redirection = self
            .redirections_of(part)
            .map_or(0, |all| all.len().saturating_sub(1));
        self.pending.push(Pending {
            part,
            redirection,
            mark,
            literal: skip > 0,
            tabs: operator == Operator::HereDocumentTabs,
        });
        Ok(())
    }

    /// The texts that begin after the line break that has just been read.
    pub(super) fn waiting_heredocs(&mut self) -> Read<()> {
        let any = !self.pending.is_empty();
        for pending in std::mem::take(&mut self.pending) {
            let (start, end) = self.extent(&pending)?;
            let body = self.heredoc_text(&pending, start, end)?;
            let redirections = self.redirections_of(pending.part);
            if let Some(one) = redirections.and_then(|all| all.get_mut(pending.redirection)) {
                one.body = Some(body);
            }
        }
        if any && self.closable && !self.rest().trim_start().starts_with(')') {
            return self.stop(Reason::HereDocument);
        }
        Ok(())
    }

    /// Bash writes the commands of a substitution anew before it runs them, and loses a `;` behind a here-document. So
    /// there it must be the last thing: nothing behind it in its line, nor behind its text.
    pub(super) fn heredoc_is_last(&self) -> Read<()> {
        if self.closable && !self.pending.is_empty() {
            return self.stop(Reason::HereDocument);
        }
        Ok(())
    }

    /// A part has ended: no here-document may still wait for its text.
    pub(super) fn no_heredoc_waits(&self) -> Read<()> {
        if self.pending.is_empty() {
            Ok(())
        } else {
            self.stop(Reason::HereDocument)
        }
    }

    /// Where the text begins and ends; the end mark is read.
    fn extent(&mut self, pending: &Pending) -> Read<(usize, usize)> {
        let start = self.at;
        loop {
            if self.at >= self.end {
                return self.stop_from(start, Reason::HereDocument);
            }
            let from = self.at;
            let length = self.run(0, |byte| byte != b'\n');
            let written = self.slice(from, from + length);
            self.advance(length + 1)?;
            let line = if pending.tabs {
                written.trim_start_matches('\t')
            } else {
                written
            };
            if line == pending.mark {
                return Ok((start, from));
            }
            // In a substitution bash also stops at a mark with a closing parenthesis behind it.
            let cut = self.closable && line.starts_with(pending.mark.as_str());
            // A continued line is joined to the next before bash looks for the mark.
            let joined = !pending.literal && written.ends_with('\\');
            if cut || joined {
                return self.stop_from(from, Reason::HereDocument);
            }
        }
    }

    fn heredoc_text(&mut self, pending: &Pending, start: usize, end: usize) -> Read<Word> {
        let mut word = WordBuilder::default();
        let text = self.slice(start, end);
        if pending.literal {
            word.push(&without_tabs(text, pending.tabs, true));
        } else {
            let after = std::mem::replace(&mut self.at, start);
            let outer_end = std::mem::replace(&mut self.end, end);
            // Tabs that are removed could stand within a quoted word of a substitution.
            let one_line = std::mem::replace(&mut self.one_line, pending.tabs);
            let in_body = std::mem::replace(&mut self.in_body, true);
            self.deeper(|reader| reader.expanded_text(&mut word, pending.tabs))?;
            self.in_body = in_body;
            self.at = after;
            self.end = outer_end;
            self.one_line = one_line;
        }
        let place = super::super::Place { start, end };
        match word.finish(self.outward(place)) {
            Ok(word) => Ok(word),
            Err(reason) => self.stop_from(start, reason),
        }
    }

    fn expanded_text(&mut self, word: &mut WordBuilder, tabs: bool) -> Read<()> {
        let start = self.at;
        loop {
            let length = self.run(0, |byte| !matches!(byte, b'$' | b'`' | b'\\'));
            let text = self.slice(self.at, self.at + length);
            word.push(&without_tabs(text, tabs, self.at == start));
            self.advance(length)?;
            match self.peek() {
                None => return Ok(()),
                Some(b'$') => self.dollar(word, Quoting::Heredoc)?,
                Some(b'`') => self.backquotes(word, Quoting::Heredoc)?,
                Some(_) => self.backslash_within(word, Quoting::Heredoc)?,
            }
        }
    }
}

/// The text with the tabs at the start of its lines removed, when they are.
fn without_tabs(text: &str, tabs: bool, line_start: bool) -> std::borrow::Cow<'_, str> {
    if !tabs {
        return text.into();
    }
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    let first = if line_start {
        first.trim_start_matches('\t')
    } else {
        first
    };
    let mut result = first.to_owned();
    for line in lines {
        result.push('\n');
        result.push_str(line.trim_start_matches('\t'));
    }
    result.into()
}
