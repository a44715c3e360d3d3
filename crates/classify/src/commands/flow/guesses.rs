//! What a word may become, among others: enough to deny, and never enough to allow.

use std::borrow::Cow;

use super::Flow;
use crate::commands::{Value, base_name};
use crate::shell::{GroupKind, Input, Operator, Part, Piece, SimpleCommand, Word};

/// Most words of one text that are looked at.
const MOST: usize = 16;

/// Whatever else it is.
pub(super) const fn anything<'s>() -> Value<'s> {
    Value::Unknown {
        start: Cow::Borrowed(""),
        single: true,
    }
}

impl<'s> Flow<'s> {
    /// The words that `xargs` puts into this command, where the text itself prints them.
    pub(super) fn printed_words(&self, at: Part) -> Option<Vec<Value<'s>>> {
        let Part::Command(number) = at else { return None };
        let group = self.script.commands().get(number)?.seat.group?;
        let GroupKind::Behind(runner) = self.script.groups().get(group)?.kind else {
            return None;
        };
        let xargs = self.script.commands().get(runner)?;
        if base_name(xargs.name()?) != "xargs" {
            return None;
        }
        let mut found = Vec::new();
        match self.script.input(runner) {
            Input::Pipe(Part::Command(feeder)) => {
                let command = self.script.commands().get(feeder)?;
                if !matches!(base_name(command.name()?), "echo" | "printf") {
                    return None;
                }
                for word in command.words.iter().skip(1).take(MOST) {
                    self.split_into(&mut found, Part::Command(feeder), word);
                }
            }
            Input::Redirection(one) => {
                let word = match one.operator {
                    Operator::HereString => &one.operand,
                    _ => one.body.as_ref()?,
                };
                self.split_into(&mut found, Part::Command(runner), word);
            }
            _ => return None,
        }
        found.truncate(MOST);
        found.push(anything());
        Some(found)
    }

    /// The words of a text that is cut at its blanks.
    fn split_into(&self, found: &mut Vec<Value<'s>>, at: Part, word: &Word) {
        for text in self.argument(at, word).values().iter().filter_map(Value::literal) {
            let lines = text.replace("\\n", "\n").replace("\\0", "\n");
            let words = lines.split_whitespace().take(MOST);
            found.extend(words.map(|word| Value::Literal(Cow::Owned(word.to_owned()))));
        }
    }

    /// What `$1`, `$2` or `$@` may be in a text that a shell was given with words behind it.
    pub(super) fn parameter(&self, at: Part, name: &str) -> Option<Vec<Value<'s>>> {
        let number = match name {
            "@" | "*" => None,
            _ => Some(name.parse::<usize>().ok()?),
        };
        let groups = self.groups_around(self.context(at));
        let runner = groups
            .into_iter()
            .flatten()
            .find_map(|group| self.runner(group, true))?;
        let words = behind_the_text(self.script.commands().get(runner)?)?;
        let mut found = Vec::new();
        for word in match number {
            Some(number) => words.iter().skip(number).take(1),
            None => words.iter().skip(1).take(MOST),
        } {
            let argument = self.argument(Part::Command(runner), word);
            found.extend(
                argument
                    .values()
                    .iter()
                    .filter(|value| value.literal().is_some())
                    .cloned(),
            );
        }
        found.push(anything());
        Some(found)
    }
}

/// The words behind the text of a shell: `$0`, `$1` and so on. Behind `-s` the first is `$1`, so one stands before it.
fn behind_the_text(shell: &SimpleCommand) -> Option<&[Word]> {
    let words = shell.words.as_slice();
    let letters = |word: &Word| {
        let letters = word.literal()?.strip_prefix('-')?;
        (!letters.starts_with('-')).then(|| letters.to_owned())
    };
    let has = |letter: char| {
        words
            .iter()
            .position(|word| letters(word).is_some_and(|one| one.contains(letter)))
    };
    match has('c') {
        Some(at) => words.get(at + 2..),
        None => {
            let at = has('s')?;
            let dashes = words.get(at + 1).and_then(Word::literal) == Some("--");
            words.get(at + usize::from(dashes)..)
        }
    }
}

/// The pieces of a word with `$PWD` in place of `~+`.
pub(super) fn without_plus(pieces: &[Piece]) -> Option<Vec<Piece>> {
    let [Piece::Tilde, Piece::Literal(text), rest @ ..] = pieces else {
        return None;
    };
    let behind = text.strip_prefix('+')?;
    if !behind.is_empty() && !behind.starts_with('/') {
        return None;
    }
    let here = Piece::Variable {
        name: "PWD".to_owned(),
        quoted: true,
        plain: true,
        kept: true,
        change: None,
    };
    let behind = Piece::Literal(behind.to_owned());
    Some([here, behind].into_iter().chain(rest.iter().cloned()).collect())
}

/// Where homes of others mostly are: what stands before the name behind `~`.
pub(super) fn before_a_name(behind: &str) -> Option<&'static str> {
    let name = behind.split('/').next().unwrap_or_default();
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-.".contains(char);
    let is_name = name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
    (is_name && name.chars().all(plain)).then_some(if name == "root" { "/" } else { "/home/" })
}
