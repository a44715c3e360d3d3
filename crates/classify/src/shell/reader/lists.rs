//! Lists, conditional lists and pipelines.

use super::super::{Link, Part, Reason, Seat};
use super::{Read, Reader};

/// Reserved words that end a list when they stand where a command could begin.
const CLOSERS: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}"];

/// What a command ended with, which decides whether a reserved word may follow directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// A word: only an operator or a line break may follow.
    Word,
    /// `)`, `}`, `fi`, `done` or `esac`: a closing word may follow directly, as in `{ (a) }`.
    Bracket,
}

impl Reader<'_> {
    /// A list, up to whatever closes it. `needed`: an empty one is a syntax error.
    pub(super) fn list(&mut self, needed: bool) -> Read<()> {
        let mut empty = true;
        loop {
            self.gap()?;
            if self.at_list_end() {
                if empty && needed {
                    return self.stop(Reason::Syntax);
                }
                return Ok(());
            }
            empty = false;
            let (commands, groups) = (self.script.commands().len(), self.script.groups().len());
            let ending = self.conditional_list()?;
            self.blanks()?;
            self.comment()?;
            match self.peek() {
                Some(b'\n') => {}
                Some(b';') if self.peek_at(1) == Some(b';') || self.peek_at(1) == Some(b'&') => return Ok(()),
                Some(b';') => {
                    self.heredoc_is_last()?;
                    self.advance(1)?;
                    self.operator_ends()?;
                }
                Some(b'&') => {
                    self.heredoc_is_last()?;
                    self.advance(1)?;
                    self.operator_ends()?;
                    self.script.send_to_background(self.seat.group, commands, groups);
                }
                None | Some(b')') => return Ok(()),
                _ if ending == Ending::Bracket && self.at_list_end() => return Ok(()),
                _ => return self.stop(Reason::Syntax),
            }
        }
    }

    /// Whether a list ends here because nothing that begins a command follows.
    fn at_list_end(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => self.peek_at(1) == Some(b';') || self.peek_at(1) == Some(b'&'),
            Some(_) => self.reserved().is_some_and(|word| CLOSERS.contains(&word)),
        }
    }

    /// Pipelines joined by `&&` and `||`.
    fn conditional_list(&mut self) -> Read<Ending> {
        let outer = self.seat;
        self.seat = Seat::within(outer.group);
        loop {
            let ending = self.pipeline()?;
            self.blanks()?;
            let link = if self.eat("&&")? {
                Link::Success
            } else if self.eat("||")? {
                Link::Failure
            } else {
                self.seat = outer;
                return Ok(ending);
            };
            self.heredoc_is_last()?;
            self.gap()?;
            self.seat = Seat::within(outer.group);
            self.seat.link = link;
        }
    }

    /// Commands joined by `|` and `|&`, after any `!` and `time`.
    fn pipeline(&mut self) -> Read<Ending> {
        self.prefixes()?;
        loop {
            let (part, ending) = self.command()?;
            self.blanks()?;
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                return Ok(ending);
            }
            self.heredoc_is_last()?;
            self.advance(1)?;
            if self.eat("&")? {
                self.bash_only()?;
            }
            self.operator_ends()?;
            self.gap()?;
            self.seat = Seat::within(self.seat.group);
            self.seat.fed_by = Some(part);
        }
    }

    /// `!` and `time`: keywords only here, at the start of a pipeline.
    fn prefixes(&mut self) -> Read<()> {
        loop {
            match self.reserved() {
                Some("!") if self.peek_at(1) == Some(b'(') => return self.stop(Reason::ExtendedGlob),
                Some("!") => {
                    self.advance(1)?;
                    self.seat.negated = !self.seat.negated;
                }
                Some("time") => {
                    self.bash_only()?;
                    self.advance(4)?;
                    self.blanks()?;
                    if self.raw_word(3) == Some("-p") {
                        self.advance(2)?;
                        self.blanks()?;
                    }
                    if matches!(self.peek(), Some(b'-' | b'\\')) {
                        return self.stop(Reason::Syntax);
                    }
                }
                _ => return Ok(()),
            }
            self.blanks()?;
            // `!` and `time` alone are valid, but say nothing.
            if matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b')' | b'#')) {
                return self.stop(Reason::Syntax);
            }
        }
    }

    fn command(&mut self) -> Read<(Part, Ending)> {
        match self.compound()? {
            Some(found) => Ok(found),
            None => self.simple_command(),
        }
    }
}
