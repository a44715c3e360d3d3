//! Whether a command is the one that a rule names.

use super::{Argument, Reading, Table, read_named};
use crate::shell::{self, Part, Script, SimpleCommand};

use super::flow::Flow;

/// One command, as a rule looks at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'l, 'a> {
    pub(crate) table: &'l Table,
    /// The word that names the program.
    pub(crate) name: &'l str,
    pub(crate) arguments: &'l [Argument<'a>],
    /// What the table says about it, when it knows the program.
    pub(crate) reading: Option<&'l Reading<'l, 'a>>,
    /// It is a shell that runs a text, each of whose commands stands in the list by itself.
    pub(crate) hands_on: bool,
}

impl Line<'_, '_> {
    /// Whether the command begins with these words. Where the table knows the program, options may stand in any order, and
    /// global ones before a sub-command.
    pub(crate) fn begins_with(&self, words: &[String]) -> bool {
        let Some((name, rest)) = words.split_first() else {
            return false;
        };
        if !is_program(name, self.name) {
            return false;
        }
        self.goes_on_with(rest) || self.is_told_by_the_table(rest)
    }

    /// Whether the command begins with exactly these words, its program spelled as it is here.
    pub(crate) fn begins_exactly_with(&self, words: &[String]) -> bool {
        words
            .split_first()
            .is_some_and(|(name, rest)| name == self.name && self.goes_on_with(rest))
    }

    fn goes_on_with(&self, words: &[String]) -> bool {
        words.len() <= self.arguments.len()
            && words
                .iter()
                .zip(self.arguments)
                .all(|(word, argument)| argument.text() == Some(word))
    }

    fn is_told_by_the_table(&self, rest: &[String]) -> bool {
        let Some(reading) = self.reading else { return false };
        let arguments: Vec<_> = rest.iter().map(|word| Argument::literal(word)).collect();
        let Some(wanted) = read_named(self.table, self.name, &arguments) else {
            return false;
        };
        let has = |(name, value): &(String, Option<Argument<'_>>)| {
            reading.options.iter().any(|(given, with)| {
                let same = match (value, with) {
                    (Some(value), Some(with)) => value.text() == with.text(),
                    (Some(_), None) => false,
                    (None, _) => true,
                };
                given == name && same
            })
        };
        reading.path.starts_with(&wanted.path)
            && wanted.options.iter().all(has)
            && wanted.operands.len() <= reading.operands.len()
            && wanted
                .operands
                .iter()
                .zip(&reading.operands)
                .all(|(word, operand)| operand.text().is_some() && word.text() == operand.text())
    }
}

/// Whether any command that this text runs is one that is looked for.
pub(crate) fn runs(text: &str, table: &Table, is_it: impl Fn(Line<'_, '_>) -> bool) -> bool {
    let (script, _) = understand(text, table);
    let flow = Flow::new(&script, table, None, None, None);
    let mut commands = script.commands().iter().enumerate();
    commands.any(|(number, command)| {
        let Some((name, arguments)) = spelled(&flow, number, command) else {
            return false;
        };
        let reading = read_named(table, name, &arguments);
        let line = Line {
            table,
            name,
            arguments: &arguments,
            reading: reading.as_ref(),
            hands_on: hands_on(&script, number),
        };
        is_it(line)
    })
}

/// Whether a command is a shell of the system that does nothing but run a text which was read.
pub(crate) fn hands_on(script: &Script, number: usize) -> bool {
    const SHELLS: &[&str] = &["bash", "sh", "dash", "ash", "zsh", "ksh", "mksh"];
    let Some(command) = script.commands().get(number) else {
        return false;
    };
    let name = command.name().unwrap_or_default();
    let name = ["/bin/", "/usr/bin/"]
        .iter()
        .find_map(|folder| name.strip_prefix(folder))
        .unwrap_or(name);
    let is_its_text =
        |group: &shell::Group| group.kind == shell::GroupKind::Behind(number) && group.place != command.place;
    SHELLS.contains(&name) && script.groups().iter().any(is_its_text)
}

/// The name of a command and its arguments; nothing when the name is not literal.
pub(crate) fn spelled<'s>(
    flow: &Flow<'s>,
    number: usize,
    command: &'s SimpleCommand,
) -> Option<(&'s str, Vec<Argument<'s>>)> {
    let (name, words) = command.words.split_first()?;
    let at = Part::Command(number);
    let arguments = words.iter().map(|word| flow.argument(at, word)).collect();
    Some((name.literal()?, arguments))
}

/// Everything that a text may run as far as it can be read, and every doubt about that.
pub(crate) fn understand(text: &str, table: &Table) -> (Script, Vec<shell::Doubt>) {
    let mut doubts = Vec::new();
    let script = match shell::read(text.as_bytes()) {
        Ok(script) => script,
        Err(opaque) => {
            doubts.extend(opaque.doubts());
            opaque.seen().clone()
        }
    };
    let script = match shell::unwrap_with(script, table) {
        Ok(script) => script,
        Err(opaque) => {
            doubts.extend(opaque.doubts());
            opaque.seen().clone()
        }
    };
    (script, doubts)
}

/// The name of a program without its folders.
pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A rule that names a program means it wherever it lies; one that names a file means that.
fn is_program(rule: &str, name: &str) -> bool {
    if rule.contains('/') {
        let plain = |text: &str| text.trim_start_matches("./").to_owned();
        return plain(rule) == plain(name);
    }
    base_name(name) == rule
}
