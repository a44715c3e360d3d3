//! Reading the words of a command as its program does.

mod finish;
mod mild;
mod options;

use super::Role;
use super::argument::{Argument, Value};
use super::matching::base_name;
use super::program::Program;
use super::reading::{Act, Misread, Reading};
use super::table::Table;

/// What the program of this name makes of its words, when the table knows it.
pub(crate) fn read_named<'t, 'a>(
    table: &'t Table,
    name: &str,
    arguments: &[Argument<'a>],
) -> Option<Reading<'t, 'a>> {
    let program = table.get(base_name(name))?;
    Some(read(table, program, arguments))
}

/// Reads the words behind the name of a program.
pub(crate) fn read<'t, 'a>(
    table: &'t Table,
    program: &'t Program,
    arguments: &[Argument<'a>],
) -> Reading<'t, 'a> {
    #[cfg(test)]
    counted::WORDS.with(|words| words.set(words.get() + arguments.len()));
    let mut reader = Reader {
        table,
        program,
        levels: vec![program],
        reading: Reading::default(),
        operands: Vec::new(),
        after: Vec::new(),
        alone: false,
        sub_by_option: false,
        skips: program.skips,
        given: Vec::new(),
    };
    reader.enter(program);
    reader.words(arguments);
    reader.finish()
}

struct Reader<'t, 'a> {
    table: &'t Table,
    /// The entry whose grammar holds.
    program: &'t Program,
    /// It, and those above it.
    levels: Vec<&'t Program>,
    reading: Reading<'t, 'a>,
    operands: Vec<Argument<'a>>,
    /// Operands behind `--`.
    after: Vec<Argument<'a>>,
    alone: bool,
    sub_by_option: bool,
    /// So many operands that mean nothing are still to come.
    skips: usize,
    /// The options given, each with the level at which it was read.
    given: Vec<(&'t str, usize)>,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn enter(&mut self, program: &'t Program) {
        self.reading.moves |= program.moves;
        self.reading
            .path
            .extend(program.names.first().map(String::as_str));
    }

    fn words(&mut self, arguments: &[Argument<'a>]) {
        let mut rest = arguments;
        let mut first = true;
        while let Some((argument, others)) = rest.split_first() {
            rest = others;
            let Some(text) = argument.text() else {
                if let Some((choice, value)) = self.moving_value(argument) {
                    rest = self.option(choice, Some(value), rest);
                    first = false;
                    continue;
                }
                if argument.may_be_option() && !self.program.tame {
                    self.misread(argument, Misread::Moving);
                }
                if self.operand(argument, rest) {
                    return;
                }
                first = false;
                continue;
            };
            if text == "--" {
                self.after.extend(rest.iter().cloned());
                return;
            }
            let bundle = first && self.program.bundled && !text.starts_with('-');
            first = false;
            if bundle {
                let dashed = format!("-{text}");
                rest = self.letters(argument, &dashed, rest);
            } else if let Some(choice) = self.whole(text) {
                rest = self.option(choice, None, rest);
            } else if self.program.number && is_number(text) {
                self.reading.options.push((text.to_owned(), None));
            } else if text.len() > 1 && text.starts_with('-') {
                rest = self.dashed(argument, text, rest);
            } else if self.operand(argument, rest) {
                return;
            }
        }
    }

    /// Takes an operand; true when everything behind it belongs to it.
    fn operand(&mut self, argument: &Argument<'a>, rest: &[Argument<'a>]) -> bool {
        let program = self.program;
        if self.skips > 0 {
            self.skips -= 1;
            return false;
        }
        if self.operands.is_empty() && program.has_subs() && !self.sub_by_option {
            if let Some(sub) = argument.text().and_then(|name| self.descend(name)) {
                self.go_down(sub);
                return false;
            }
            if program.meaning.operands.is_none() {
                self.misread(argument, Misread::Sub);
            }
        }
        if let Some(role) = argument.text().and_then(|text| self.key(text)) {
            let (role, value) = role;
            self.reading.acts.push(Act {
                role,
                argument: value,
                option: None,
                rest: Vec::new(),
            });
            return false;
        }
        self.operands.push(argument.clone());
        if program.stop {
            self.operands.extend(rest.iter().cloned());
        }
        program.stop
    }

    /// `NAME=VALUE` of a known name.
    fn key(&self, text: &str) -> Option<(Role, Argument<'a>)> {
        if self.program.keys.is_empty() {
            return None;
        }
        let (key, value) = text.split_once('=')?;
        let role = self.program.keys.get(key)?;
        Some((*role, Argument::attached(value)))
    }

    fn descend(&self, name: &str) -> Option<&'t Program> {
        let program = self.program;
        program.sub(name)
    }

    fn go_down(&mut self, sub: &'t Program) {
        self.enter(sub);
        self.levels.push(sub);
        self.program = sub;
        self.skips = sub.skips;
        // A program that is called by another one has a page of its own.
        if let Some(other) = sub.program.as_deref().and_then(|name| self.table.get(name)) {
            self.reading.path.clear();
            self.enter(other);
            self.levels.push(other);
            self.program = other;
            self.sub_by_option = false;
        } else {
            self.sub_by_option = false;
        }
    }

    fn misread(&mut self, argument: &Argument<'a>, why: Misread) {
        if self.reading.misread.is_none() {
            let text = match argument.values().first() {
                Some(Value::Literal(text) | Value::Unknown { start: text, .. }) => text.to_string(),
                Some(Value::Pattern(text) | Value::Fresh(text)) => text.clone(),
                Some(Value::Found(_)) | None => String::new(),
            };
            self.reading.misread = Some((text, why));
        }
    }
}

/// `-5`
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words that were read in this thread: what is judged must not read them again for each of them.
#[cfg(test)]
pub(crate) mod counted {
    use std::cell::Cell;

    thread_local! {
        pub(crate) static WORDS: Cell<usize> = const { Cell::new(0) };
    }
}
