//! Reading the words of a command as its program does.

use super::argument::{Argument, Value};
use super::program::{Choice, Kind, Meaning, Program};
use super::reading::{Act, Misread, Reading};
use super::table::Table;
use super::{Fact, Role};

/// Reads the words behind the name of a program.
pub(crate) fn read<'t, 'a>(
    table: &'t Table,
    program: &'t Program,
    arguments: &[Argument<'a>],
) -> Reading<'t, 'a> {
    let mut reader = Reader {
        table,
        program,
        levels: vec![program],
        reading: Reading::default(),
        operands: Vec::new(),
        after: Vec::new(),
        alone: false,
        sub_by_option: false,
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

    /// An option that is the whole word.
    fn whole(&self, text: &str) -> Option<&'t Choice> {
        let program = self.program;
        program.option(text)
    }

    fn dashed<'r>(
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
    fn letters<'r>(
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

    fn option<'r>(
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
            match value.text().and_then(|name| self.descend(name)) {
                Some(sub) => self.go_down(sub),
                None => self.misread(value, Misread::Sub),
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

    /// Takes an operand; true when everything behind it belongs to it.
    fn operand(&mut self, argument: &Argument<'a>, rest: &[Argument<'a>]) -> bool {
        let program = self.program;
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

    fn unknown(&mut self, argument: &Argument<'a>, text: &str) {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Argument::attached(value))),
            None => (text, None),
        };
        self.reading.options.push((name.to_owned(), value));
        if !self.program.loose {
            self.misread(argument, Misread::Option);
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

    fn finish(mut self) -> Reading<'t, 'a> {
        let meaning = self.meaning();
        let operands = std::mem::take(&mut self.operands);
        let after = std::mem::take(&mut self.after);
        let none = operands.is_empty() && after.is_empty();
        let before = self.reading.acts.len();
        match &meaning.after {
            Some(roles) => {
                self.assign(meaning.operands.as_ref(), &operands);
                self.assign(Some(roles), &after);
                self.reading.operands = operands;
                self.reading.operands.extend(after);
            }
            None => {
                let all: Vec<_> = operands.into_iter().chain(after).collect();
                self.assign(meaning.operands.as_ref(), &all);
                self.reading.operands = all;
            }
        }
        if self.alone {
            return self.reading;
        }
        if let Some(here) = meaning.here
            && !self.reading.acts.iter().skip(before).any(|act| act.role == here)
        {
            self.reading.acts.push(Act {
                role: here,
                argument: Argument::literal("."),
                option: None,
                rest: Vec::new(),
            });
        }
        self.reading.facts.extend(meaning.does);
        let is_code = |act: &Act<'_, '_>| matches!(act.role, Role::Code | Role::Python);
        if none && !self.reading.acts.iter().any(is_code) {
            self.reading.facts.extend(meaning.bare);
        }
        let levels = self.levels.iter().flat_map(|level| &level.decided_by);
        self.reading.decided_by = levels.map(String::as_str).collect();
        self.reading.facts.sort_unstable();
        self.reading.facts.dedup();
        self.reading
    }

    /// What holds with the options that are given.
    fn meaning(&self) -> Meaning {
        // An option of a program is one of its sub-command only where that has it from there.
        let here = self.levels.len();
        let counts = |level: usize| {
            let passed = self
                .levels
                .iter()
                .skip(level.saturating_sub(1))
                .take(here - level);
            passed.into_iter().all(|program| program.global)
        };
        let given = |name: &str| {
            self.given
                .iter()
                .any(|(option, level)| *option == name && counts(*level))
        };
        let mut meaning = self.program.meaning.clone();
        let mut also: Vec<Fact> = Vec::new();
        for when in self.program.whens.iter().filter(|when| when.holds(given)) {
            if let Some(operands) = &when.operands {
                meaning.operands = Some(operands.clone());
            }
            if let Some(after) = &when.after {
                meaning.after = Some(after.clone());
            }
            if let Some(here) = when.here {
                meaning.here = Some(here);
            }
            if let Some(does) = &when.does {
                meaning.does.clone_from(does);
            }
            if let Some(bare) = &when.bare {
                meaning.bare.clone_from(bare);
            }
            also.extend(&when.also);
        }
        let above = self.levels.split_last().map_or(&[][..], |(_, above)| above);
        let anywhere = |name: &str| self.given.iter().any(|(option, _)| *option == name);
        for when in above.iter().flat_map(|level| &level.whens) {
            if when.holds(anywhere) {
                also.extend(&when.also);
            }
        }
        meaning.does.extend(also);
        meaning
    }

    fn assign(&mut self, roles: Option<&super::program::Roles>, operands: &[Argument<'a>]) {
        let none = super::program::Roles::default();
        let roles = roles.unwrap_or(&none);
        for (at, (role, argument)) in roles.of(operands.len()).zip(operands).enumerate() {
            let Some(role) = role else {
                if !self.program.loose {
                    self.misread(argument, Misread::Operand);
                }
                continue;
            };
            let takes_rest = matches!(role, Role::Command | Role::Elsewhere);
            let rest = if takes_rest {
                operands.get(at + 1..).unwrap_or_default().to_vec()
            } else {
                Vec::new()
            };
            self.reading.acts.push(Act {
                role,
                argument: argument.clone(),
                option: None,
                rest,
            });
            if takes_rest {
                return;
            }
        }
    }
}

/// `-5`
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
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
