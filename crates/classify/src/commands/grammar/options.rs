//! Words that are options, and the values that they take.

use super::Reader;
use super::mild::is_mild;
use crate::commands::argument::Argument;
use crate::commands::program::{Choice, Kind};
use crate::commands::reading::{Act, Misread};
use crate::commands::{PathRole, Role};
use crate::shell::are_plain_flags;

impl<'t, 'a> Reader<'t, 'a> {
    /// An option that is the whole word.
    pub(super) fn whole(&self, text: &str) -> Option<&'t Choice> {
        let program = self.program;
        program.option(text)
    }

    /// `--option=…` and `-j…`, where the text tells the option and the value moves.
    pub(super) fn moving_value(&self, argument: &Argument<'a>) -> Option<(&'t Choice, Argument<'a>)> {
        let (name, value) = match argument.behind_letter().filter(|_| !self.program.long) {
            Some(parts) => parts,
            None => argument
                .behind_equals()
                .filter(|(name, _)| name.starts_with("--"))?,
        };
        let choice = self.whole(&name)?;
        matches!(choice.kind, Kind::Valued(_) | Kind::Optional(_)).then_some((choice, value))
    }

    pub(super) fn dashed<'r>(
        &mut self,
        argument: &Argument<'a>,
        text: &str,
        rest: &'r [Argument<'a>],
    ) -> &'r [Argument<'a>] {
        if !text.starts_with("--") && !self.program.long {
            return self.letters(argument, text, rest);
        }
        if let Some((name, value)) = text.split_once('=')
            && let Some(choice) = self.whole(name)
            && matches!(choice.kind, Kind::Valued(_) | Kind::Optional(_))
        {
            return self.option(choice, Some(Argument::attached(value)), rest);
        }
        let letter = text
            .char_indices()
            .nth(2)
            .map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
        if self.program.joined
            && let Some(choice) = self.whole(letter)
            && matches!(choice.kind, Kind::Valued(_) | Kind::Optional(_))
        {
            let value = text.get(letter.len()..).unwrap_or_default();
            return self.option(choice, Some(Argument::attached(value)), rest);
        }
        self.unknown(argument, text);
        rest
    }

    /// Letters that stand behind one dash: each is an option, up to one that takes the others for its value.
    pub(super) fn letters<'r>(
        &mut self,
        argument: &Argument<'a>,
        text: &str,
        mut rest: &'r [Argument<'a>],
    ) -> &'r [Argument<'a>] {
        let letters = text.get(1..).unwrap_or_default();
        let mut buffer = String::with_capacity(5);
        for (at, letter) in letters.char_indices() {
            buffer.clear();
            buffer.push('-');
            buffer.push(letter);
            let Some(choice) = self.program.option(&buffer) else {
                self.unknown(argument, text);
                return rest;
            };
            let value = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            match choice.kind {
                Kind::Flag | Kind::Alone | Kind::Until | Kind::Pair(_) => {
                    rest = self.option(choice, None, rest)
                }
                // Where letters need no dash, each of those that take a value takes a word of its own.
                Kind::Valued(_) if value.is_empty() || !text_is(argument, text) => {
                    rest = self.option(choice, None, rest);
                }
                Kind::Valued(_) | Kind::Optional(_) => {
                    let value = (!value.is_empty()).then(|| Argument::attached(value));
                    return self.option(choice, value, rest);
                }
            }
        }
        rest
    }

    pub(super) fn option<'r>(
        &mut self,
        choice: &'t Choice,
        value: Option<Argument<'a>>,
        rest: &'r [Argument<'a>],
    ) -> &'r [Argument<'a>] {
        let mut rest = rest;
        let mut role = Role::Text;
        let value = match choice.kind {
            Kind::Flag => None,
            Kind::Alone => {
                self.alone = true;
                None
            }
            Kind::Valued(of) => {
                role = of;
                value.or_else(|| {
                    let (next, others) = rest.split_first()?;
                    rest = others;
                    Some(next.clone())
                })
            }
            Kind::Optional(of) => {
                role = of;
                let blank = || self.program.blank.contains(&choice.name);
                if value.is_none() && rest.first().and_then(Argument::text) == Some("") && blank() {
                    rest = rest.get(1..).unwrap_or_default();
                }
                value
            }
            Kind::Until => {
                rest = behind_the_end(rest);
                None
            }
            Kind::Pair(of) => {
                role = of;
                rest = rest.get(1..).unwrap_or_default();
                let second = rest.split_first();
                rest = second.map_or(rest, |(_, others)| others);
                second.map(|(second, _)| second.clone())
            }
        };
        if let Some(value) = &value {
            self.value(choice, role, value, &mut rest);
        }
        self.given.push((choice.name.as_str(), self.levels.len()));
        self.reading.options.push((choice.name.clone(), value));
        rest
    }

    fn value<'r>(
        &mut self,
        choice: &'t Choice,
        role: Role,
        value: &Argument<'a>,
        rest: &mut &'r [Argument<'a>],
    ) {
        if role == Role::Sub {
            self.sub_by_option = true;
            let name = value.text().unwrap_or_default();
            match self.descend(name) {
                Some(sub) => self.go_down(sub),
                None => self.any_other(value, name),
            }
            return;
        }
        let takes_rest = matches!(role, Role::Command | Role::Elsewhere);
        let words = if takes_rest {
            std::mem::take(rest).to_vec()
        } else {
            Vec::new()
        };
        self.reading.acts.push(Act {
            role,
            argument: value.clone(),
            option: Some(choice.name.as_str()),
            rest: words,
        });
    }

    /// A module that has no entry of its own: the file that holds it is run.
    fn any_other(&mut self, value: &Argument<'a>, name: &str) {
        let sign = |char: char| char.is_ascii_alphanumeric() || "_.".contains(char);
        let plain = name.starts_with(|char: char| char.is_ascii_alphabetic()) && name.chars().all(sign);
        let Some(sub) = self.descend("*").filter(|_| plain) else {
            return self.misread(value, Misread::Sub);
        };
        let path = name.replace('.', "/");
        for file in [format!("{path}.py"), format!("{path}/__main__.py")] {
            self.reading.acts.push(Act {
                role: Role::Path(PathRole::Execute),
                argument: Argument::attached(&file),
                option: None,
                rest: Vec::new(),
            });
        }
        self.go_down(sub);
    }

    fn unknown(&mut self, argument: &Argument<'a>, text: &str) {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Argument::attached(value))),
            None => (text, None),
        };
        self.reading.options.push((name.to_owned(), value));
        let lenient = self.levels.iter().any(|level| level.lenient);
        let program = self.program;
        let mild = lenient && is_mild(text) || program.compiles && are_plain_flags(text);
        if !mild && !program.loose {
            self.misread(argument, Misread::Option);
        }
    }
}

/// Whether the argument is this text, and not one that a dash was put before.
fn text_is(argument: &Argument<'_>, text: &str) -> bool {
    argument.text() == Some(text)
}

/// The words behind `;`, or behind `+` that follows `{}`.
fn behind_the_end<'r, 'a>(arguments: &'r [Argument<'a>]) -> &'r [Argument<'a>] {
    let mut before = None;
    for (at, argument) in arguments.iter().enumerate() {
        let text = argument.text();
        if text == Some(";") || (text == Some("+") && before == Some("{}")) {
            return arguments.get(at + 1..).unwrap_or_default();
        }
        before = text;
    }
    &[]
}
