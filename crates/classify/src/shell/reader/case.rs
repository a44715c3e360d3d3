//! `case`.

use super::super::Reason;
use super::{Read, Reader};

impl Reader<'_> {
    pub(super) fn case(&mut self, group: usize) -> Read<()> {
        self.keyword("case")?;
        self.blanks()?;
        self.case_word(group)?;
        self.gap()?;
        self.keyword("in")?;
        loop {
            self.gap()?;
            if self.reserved() == Some("esac") {
                return self.advance(4);
            }
            self.clause(group)?;
            if self.ends_clause()? {
                continue;
            }
            return self.keyword("esac");
        }
    }

    /// `pattern | pattern) list`
    fn clause(&mut self, group: usize) -> Read<()> {
        if self.eat("(")? {
            self.operator_ends()?;
            self.blanks()?;
        }
        loop {
            self.case_word(group)?;
            self.blanks()?;
            if self.eat(")")? {
                return self.list(false);
            }
            self.expect("|")?;
            self.operator_ends()?;
            self.blanks()?;
        }
    }

    fn case_word(&mut self, group: usize) -> Read<()> {
        let word = self.word()?.word;
        if let Some(group) = self.script.group_mut(group) {
            group.words.push(word);
        }
        Ok(())
    }

    /// `;;`, `;&` and `;;&`.
    fn ends_clause(&mut self) -> Read<bool> {
        if self.peek() != Some(b';') {
            return Ok(false);
        }
        for operator in [";;&", ";;", ";&"] {
            if self.eat(operator)? {
                if operator != ";;" {
                    self.bash_only()?;
                }
                self.operator_ends()?;
                return Ok(true);
            }
        }
        self.stop(Reason::Syntax)
    }
}
