//! `for` and `select`.

use super::super::{GroupKind, Reason};
use super::{Read, Reader};

impl Reader<'_> {
    /// `for name in words; do …; done`, `for name; do …; done`, `for ((…)); do …; done`, and `{ … }` for the body.
    pub(super) fn for_loop(&mut self, kind: GroupKind, group: usize) -> Read<()> {
        self.advance(if kind == GroupKind::For { 3 } else { 6 })?;
        self.blanks()?;
        if kind == GroupKind::For && self.eat("((")? {
            self.bash_only()?;
            self.counting_head()?;
            self.blanks()?;
            self.eat(";")?;
            self.gap()?;
            return self.loop_body();
        }
        self.variable(group)?;
        self.gap()?;
        if self.reserved() == Some("in") {
            self.advance(2)?;
            self.loop_words(group)?;
            if self.peek() != Some(b'\n') {
                self.expect(";")?;
                self.operator_ends()?;
            }
        } else {
            self.eat(";")?;
        }
        self.gap()?;
        self.loop_body()
    }

    /// The variable of a loop: assigned like any other.
    fn variable(&mut self, group: usize) -> Read<()> {
        let start = self.at;
        let name = self.slice(start, start + self.name_length());
        if self.raw_word(name.len()) != Some(name) {
            return self.stop(Reason::Syntax);
        }
        self.advance(name.len())?;
        self.assigned(name, None, self.from(start));
        if let Some(group) = self.script.group_mut(group) {
            group.variable = Some(name.to_owned());
        }
        Ok(())
    }

    fn loop_words(&mut self, group: usize) -> Read<()> {
        loop {
            self.blanks()?;
            self.comment()?;
            match self.peek() {
                None => return self.stop(Reason::Unterminated),
                Some(b'\n' | b';') => return Ok(()),
                Some(_) => {
                    let word = self.word()?.word;
                    if let Some(group) = self.script.group_mut(group) {
                        group.words.push(word);
                    }
                }
            }
        }
    }

    fn loop_body(&mut self) -> Read<()> {
        if self.reserved() == Some("{") {
            self.bash_only()?;
            return self.braces();
        }
        self.keyword("do")?;
        self.list_until("done")
    }
}
