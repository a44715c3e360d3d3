//! `[[ … ]]`: no command, but its operands are words, and some of them are evaluated.

use super::super::{Reason, Word};
use super::{Read, Reader};

/// Tests of one operand that look at files and strings only.
const UNARY: &[&str] = &[
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-n", "-o", "-p", "-r", "-s", "-t", "-u", "-w",
    "-x", "-z", "-G", "-L", "-N", "-O", "-S",
];
/// Comparisons of strings and files.
const BINARY: &[&str] = &["=", "==", "!=", "=~", "-nt", "-ot", "-ef"];
/// Comparisons of numbers: both operands are arithmetic.
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Reader<'_> {
    pub(super) fn condition(&mut self, group: usize) -> Read<()> {
        self.keyword("[[")?;
        self.alternatives(group)?;
        self.condition_gap()?;
        if self.raw_word(2) != Some("]]") {
            return self.stop(Reason::Syntax);
        }
        self.advance(2)
    }

    /// Tests joined by `&&` and `||`.
    fn alternatives(&mut self, group: usize) -> Read<()> {
        loop {
            self.one_test(group)?;
            self.condition_gap()?;
            if !self.eat("&&")? && !self.eat("||")? {
                return Ok(());
            }
        }
    }

    fn one_test(&mut self, group: usize) -> Read<()> {
        self.condition_gap()?;
        while self.raw_word(1) == Some("!") && self.peek_at(1) != Some(b'(') {
            self.advance(1)?;
            self.condition_gap()?;
        }
        if self.peek() == Some(b'(') {
            return self.deeper(|reader| {
                reader.advance(1)?;
                reader.alternatives(group)?;
                reader.condition_gap()?;
                reader.expect(")")
            });
        }
        let operator = self.raw_word(2);
        if operator == Some("]]") {
            return self.stop(Reason::Syntax);
        }
        if matches!(operator, Some("-v" | "-R")) {
            self.advance(2)?;
            self.condition_gap()?;
            return self.variable_operand(group);
        }
        if operator.is_some_and(|word| UNARY.contains(&word)) {
            self.advance(2)?;
            self.condition_gap()?;
            return self.operand(group).map(|_| ());
        }
        let left = self.operand(group)?;
        self.condition_gap()?;
        if matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) != Some(b'(') {
            self.advance(1)?;
            self.operator_ends()?;
            self.condition_gap()?;
            return self.operand(group).map(|_| ());
        }
        match self.raw_word(3) {
            Some(word) if BINARY.contains(&word) => {
                self.advance(word.len())?;
                self.condition_gap()?;
                self.operand(group).map(|_| ())
            }
            Some(word) if NUMERIC.contains(&word) => {
                self.advance(word.len())?;
                self.condition_gap()?;
                let right = self.operand(group)?;
                for operand in [left, right] {
                    match operand.variable() {
                        _ if is_number(&operand) => {}
                        Some(name) => self.used_as_number(name, Reason::EvaluatedWord, operand.place()),
                        None => self.doubt(Reason::EvaluatedWord, operand.place()),
                    }
                }
                Ok(())
            }
            // `[[ word ]]` asks whether the word is empty.
            _ => Ok(()),
        }
    }

    fn operand(&mut self, group: usize) -> Read<Word> {
        if self.raw_word(2) == Some("]]") {
            return self.stop(Reason::Syntax);
        }
        let lexed = self.word()?;
        if lexed.continued {
            return self.stop(Reason::Continuation);
        }
        let word = lexed.word;
        if let Some(group) = self.script.group_mut(group) {
            group.words.push(word.clone());
        }
        Ok(word)
    }

    /// The name of a variable: a subscript in it is evaluated.
    fn variable_operand(&mut self, group: usize) -> Read<()> {
        let word = self.operand(group)?;
        if !word.literal().is_some_and(super::super::meaning::is_name) {
            self.doubt(Reason::EvaluatedWord, word.place());
        }
        Ok(())
    }

    fn condition_gap(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.line_break()?;
        }
    }
}

fn is_number(word: &Word) -> bool {
    let digits =
        |text: &str| !text.is_empty() && text.len() < 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    word.literal()
        .is_some_and(|text| digits(text.strip_prefix('-').unwrap_or(text)))
}
