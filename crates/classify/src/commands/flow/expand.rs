//! What a word becomes.

use std::borrow::Cow;

use super::guesses::{anything, before_a_name, without_plus};
use super::paths::{self, all_changed};
use super::variables::Setting;
use super::{Directory, Flow, Found};
use crate::commands::{Value, Values};
use crate::shell::{GroupKind, Part, Piece, SimpleCommand, Word, prints_a_number};

/// Most values that one word is followed to.
const MOST: usize = 32;
/// Most variables within variables.
const DEEPEST: usize = 8;

/// A value while it is put together.
#[derive(Debug, Clone, Default)]
struct Partial {
    text: String,
    /// The same as a pattern, once there is a wildcard.
    pattern: Option<String>,
    fresh: bool,
    /// What another command finds, and nothing else.
    found: Option<Found>,
    /// What follows is not known.
    cut: bool,
}

impl<'s> Flow<'s> {
    /// The values of a word that is not literal.
    pub(super) fn values(&self, at: Part, word: &Word) -> Values<'s> {
        self.values_within(at, word, 0)
    }

    fn values_within(&self, at: Part, word: &Word, depth: usize) -> Values<'s> {
        if let [Piece::Filled { alone: true, .. }] = word.pieces() {
            if let Some(found) = self.found(at) {
                return Values::One(Value::Found(found));
            }
            if let Some(values) = self.printed_words(at) {
                return Values::Many(values);
            }
        }
        if let Some(found) = self.substituted(word) {
            return Values::One(Value::Found(found));
        }
        let unknown = || Value::Unknown {
            start: Cow::Owned(word.known_start().to_owned()),
            single: word.is_single() || self.is_counted(word),
        };
        let Some(parts) = self.partials(at, word, depth) else {
            return Values::One(unknown());
        };
        let single = word.is_single() || self.is_counted(word);
        let mut values = parts.into_iter().map(|partial| partial.value(single));
        match (values.next(), values.next()) {
            (None, _) => Values::One(unknown()),
            (Some(value), None) => Values::One(value),
            (Some(first), Some(second)) => Values::Many([first, second].into_iter().chain(values).collect()),
        }
    }

    /// Whether nothing in a word moves but numbers.
    fn is_counted(&self, word: &Word) -> bool {
        word.pieces().iter().all(|piece| match piece {
            Piece::Literal(_) | Piece::Arithmetic => true,
            // Others may put blanks before it.
            Piece::Substitution { group, .. } => {
                let [Part::Command(number)] = self.tree.children(Some(*group)) else {
                    return false;
                };
                let name = self.script.commands().get(*number).and_then(SimpleCommand::name);
                matches!(name, Some("nproc" | "date" | "id")) && prints_a_number(self.script, *group)
            }
            _ => false,
        })
    }

    fn partials(&self, at: Part, word: &Word, depth: usize) -> Option<Vec<Partial>> {
        if let Some(text) = word.literal() {
            return Some(vec![Partial::of(text)]);
        }
        let pieces = word.pieces();
        if pieces.iter().any(|piece| matches!(piece, Piece::Brace(_))) {
            // Braces come first. Where they would put something behind an open name, the reader has refused the word.
            let mut all = Vec::new();
            for pieces in super::braces::expand(pieces, MOST)? {
                all.extend(self.joined(at, &pieces, depth)?);
                if all.len() > MOST {
                    return None;
                }
            }
            return Some(all);
        }
        self.joined(at, pieces, depth)
    }

    /// What pieces become that stand side by side.
    fn joined(&self, at: Part, pieces: &[Piece], depth: usize) -> Option<Vec<Partial>> {
        let here = without_plus(pieces);
        let pieces = here.as_deref().unwrap_or(pieces);
        let mut all = vec![Partial::default()];
        for (index, piece) in pieces.iter().enumerate() {
            let whole = pieces.len() == 1;
            let next = pieces.get(index + 1);
            let mut found = self.piece(at, piece, next, whole, depth);
            if index == 0 && paths::is_cut_loose(piece) {
                // A name that is looked for elsewhere may begin with a dash.
                found.iter_mut().for_each(paths::forget_beginning);
            }
            if let [value] = found.as_slice() {
                // What is long is long by such pieces.
                all = all.into_iter().map(|partial| partial.then(value)).collect();
                continue;
            }
            let mut more = Vec::with_capacity(all.len() * found.len());
            for partial in &all {
                for value in &found {
                    more.push(partial.clone().then(value));
                }
            }
            if more.len() > MOST {
                return None;
            }
            all = more;
        }
        Some(all)
    }

    /// What one piece becomes; several when it is one of them.
    fn piece(
        &self,
        at: Part,
        piece: &Piece,
        next: Option<&Piece>,
        whole: bool,
        depth: usize,
    ) -> Vec<Value<'s>> {
        let unknown = || {
            vec![Value::Unknown {
                start: Cow::Borrowed(""),
                single: true,
            }]
        };
        match piece {
            Piece::Literal(text) => vec![Value::Literal(Cow::Owned(text.clone()))],
            Piece::Glob(char) => vec![Value::Pattern(char.to_string())],
            Piece::Tilde => {
                let plain = match next {
                    None => true,
                    Some(Piece::Literal(text)) => text.starts_with('/'),
                    Some(_) => false,
                };
                let elsewhere = Value::Unknown {
                    start: Cow::Borrowed("~"),
                    single: true,
                };
                match self.home.filter(|_| plain) {
                    Some(home) if self.variables.is_untouched("HOME") => {
                        vec![Value::Literal(Cow::Borrowed(home))]
                    }
                    // What nobody can read may set it, and need not.
                    Some(home) if !self.variables.names("HOME") => {
                        vec![Value::Literal(Cow::Borrowed(home)), elsewhere]
                    }
                    _ => match next {
                        Some(Piece::Literal(text)) => {
                            let homes = before_a_name(text).map(|homes| Value::Literal(Cow::Borrowed(homes)));
                            homes.into_iter().chain([elsewhere]).collect()
                        }
                        _ => vec![elsewhere],
                    },
                }
            }
            Piece::Variable {
                name,
                quoted: true,
                plain: true,
                ..
            } if whole && name.ends_with("[@]") => self.elements(at, name, depth).unwrap_or_else(unknown),
            Piece::Variable {
                name,
                quoted,
                plain,
                kept,
                change,
            } if *plain || *kept || change.is_some() => {
                let mut values = self.variable(at, name, depth).unwrap_or_default();
                let changed = change.as_ref().and_then(|change| all_changed(&values, change));
                match changed {
                    Some(changed) => values = changed,
                    None if !plain && !kept => return unknown(),
                    None if !plain && !values.is_empty() => values.push(anything()),
                    None => {}
                }
                if *quoted {
                    return if values.is_empty() { unknown() } else { values };
                }
                // Unquoted, a value is cut at blanks and read as a pattern.
                let splits = |value: &Value<'_>| match value {
                    Value::Literal(text) => text.contains([' ', '\t', '\n', '\\']),
                    _ => false,
                };
                if values.is_empty() || values.iter().any(splits) {
                    return unknown();
                }
                let selects = |value: Value<'s>| match value {
                    Value::Literal(text) if text.contains(['*', '?', '[']) => {
                        Value::Pattern(text.into_owned())
                    }
                    Value::Found(found) => Value::Found(Found {
                        splits: true,
                        ..found
                    }),
                    value => value,
                };
                values.into_iter().map(selects).collect()
            }
            Piece::Substitution { group, quoted } => match self.part_of_a_path(*group, *quoted, depth) {
                Some(values) => values,
                None => self
                    .substitution(at, *group, whole)
                    .map_or_else(unknown, |value| vec![value]),
            },
            _ => unknown(),
        }
    }

    /// The elements of an array that is set in one piece: `"${a[@]}"`.
    ///
    /// One that begins a command is left alone: which of them is the program, a single word does not say.
    fn elements(&self, at: Part, name: &str, depth: usize) -> Option<Vec<Value<'s>>> {
        if let Part::Command(number) = at {
            let first = self.script.commands().get(number)?.words.first()?;
            let begins = |piece: &Piece| matches!(piece, Piece::Variable { name: own, .. } if own == name);
            if first.pieces().iter().any(begins) {
                return None;
            }
        }
        let settings = self.variables.array(name.strip_suffix("[@]")?);
        self.set_by(at, settings.filter(|_| depth < DEEPEST)?, depth)
    }

    /// What `basename` or `dirname` makes of the values of one word.
    fn part_of_a_path(&self, group: usize, quoted: bool, depth: usize) -> Option<Vec<Value<'s>>> {
        let [Part::Command(number)] = self.tree.children(Some(group)) else {
            return None;
        };
        let command = self.script.commands().get(*number)?;
        if !command.assignments.is_empty() || !command.redirections.is_empty() || depth >= DEEPEST {
            return None;
        }
        let (name, words) = command.words.split_first()?;
        let (word, suffix) = match (name.literal()?, words) {
            ("basename" | "dirname", [word]) => (word, None),
            ("basename", [word, suffix]) => (word, Some(suffix.literal()?)),
            _ => return None,
        };
        if !word.is_single() {
            return None;
        }
        let values = match word.literal() {
            Some(text) => vec![Value::Literal(Cow::Owned(text.to_owned()))],
            None => match self.values_within(Part::Command(*number), word, depth + 1) {
                Values::One(value) => vec![value],
                Values::Many(values) => values,
            },
        };
        let found = paths::all_parts(&values, name.literal()? == "basename", suffix)?;
        let plain = |value: &Value<'_>| matches!(value, Value::Literal(text) if !text.contains([' ', '\t', '*', '?', '[', '\\']));
        (quoted || found.iter().all(plain)).then_some(found)
    }

    fn variable(&self, at: Part, name: &str, depth: usize) -> Option<Vec<Value<'s>>> {
        if self.variables.is_untouched(name) {
            return match name {
                "HOME" => Some(vec![Value::Literal(Cow::Borrowed(self.home?))]),
                "PWD" => Some(vec![self.here(at)?]),
                _ => self.parameter(at, name),
            };
        }
        if let Some(found) = self.read_from(at, name) {
            return Some(vec![Value::Found(found)]);
        }
        let settings = self.variables.plain(name).filter(|_| depth < DEEPEST)?;
        self.set_by(at, settings, depth)
    }

    /// What these assignments set, when one of them is done for certain.
    fn set_by(&self, at: Part, settings: &[Setting<'s>], depth: usize) -> Option<Vec<Value<'s>>> {
        let certain = settings.iter().any(|setting| self.is_set_before(setting.by, at));
        let may_be = |setting: &Setting<'_>| self.may_be_set_before(setting.by, at);
        if !certain && !settings.iter().any(may_be) {
            return None;
        }
        let mut all = Vec::new();
        for setting in settings {
            for word in setting.words.iter() {
                match word.literal() {
                    Some(text) => all.push(Value::Literal(Cow::Owned(text.to_owned()))),
                    None => match self.values_within(setting.by, word, depth + 1) {
                        Values::One(value) => all.push(value),
                        Values::Many(values) => all.extend(values),
                    },
                }
            }
            if all.len() > MOST {
                return None;
            }
        }
        if !certain {
            all.push(anything());
        }
        Some(all)
    }

    fn substitution(&self, at: Part, group: usize, whole: bool) -> Option<Value<'s>> {
        let kind = self.script.groups().get(group)?.kind;
        if kind.is_process() {
            // A pipe, whatever flows through it is judged where it is made.
            return whole.then(|| Value::Fresh(String::new()));
        }
        if !matches!(kind, GroupKind::Command | GroupKind::Backquotes) {
            return None;
        }
        let [Part::Command(number)] = self.tree.children(Some(group)) else {
            return None;
        };
        let command = self.script.commands().get(*number)?;
        let words: Option<Vec<&str>> = command.words.iter().map(Word::literal).collect();
        let (name, rest) = words
            .as_deref()?
            .split_first()
            .map(|(name, rest)| (*name, rest.to_vec()))?;
        match name {
            "pwd" if rest.is_empty() => self.here(at),
            "git" if self.asks_for_the_root(name, &rest) => {
                self.here(at).filter(|here| here.literal() == self.repository)
            }
            "mktemp" if self.variables.is_untouched("TMPDIR") => {
                let plain =
                    |word: &&str| matches!(*word, "-d" | "--directory" | "-q" | "-t") || is_template(word);
                rest.iter().all(plain).then(|| Value::Fresh(String::new()))
            }
            _ => None,
        }
    }

    /// The working directory, when there is only one.
    fn here(&self, at: Part) -> Option<Value<'s>> {
        let directories = self.directories(at);
        match directories.known() {
            [one] if !directories.may_be_another() => Some(match one {
                Directory::Path(path) => Value::Literal(Cow::Owned(path.clone())),
                Directory::Fresh(rest) => Value::Fresh(rest.clone()),
            }),
            _ => None,
        }
    }
}

/// A template of `mktemp` that stands in the temporary directory.
fn is_template(word: &str) -> bool {
    let name = word.strip_prefix("/tmp/").unwrap_or(word);
    name.ends_with("XXX") && !name.contains('/') && (word.len() != name.len())
}

impl Partial {
    fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    fn then(mut self, value: &Value<'_>) -> Self {
        if self.cut {
            return self;
        }
        if let Value::Found(found) = value
            && self.text.is_empty()
            && !self.fresh
            && self.found.is_none()
        {
            self.found = Some(found.clone());
            return self;
        }
        if self.found.take().is_some() {
            self.cut = true;
            return self;
        }
        match value {
            Value::Literal(text) => self.push(text),
            Value::Pattern(pattern) => {
                let text = &self.text;
                self.pattern
                    .get_or_insert_with(|| escaped(text))
                    .push_str(pattern);
                self.text.push_str(pattern);
            }
            Value::Fresh(rest) if self.text.is_empty() && !self.fresh => {
                self.fresh = true;
                self.push(rest);
            }
            Value::Fresh(_) | Value::Found(_) => self.cut = true,
            Value::Unknown { start, .. } => {
                self.push(start);
                self.cut = true;
            }
        }
        self
    }

    fn push(&mut self, text: &str) {
        if let Some(pattern) = &mut self.pattern {
            pattern.push_str(&escaped(text));
        }
        self.text.push_str(text);
    }

    fn value<'s>(self, single: bool) -> Value<'s> {
        if let Some(found) = self.found {
            return Value::Found(found);
        }
        let climbs = self.text.split('/').any(|part| part == "..");
        let below = self.text.is_empty() || self.text.starts_with('/');
        if self.fresh {
            if !self.cut && !climbs && below {
                return Value::Fresh(self.text);
            }
            return Value::Unknown {
                start: Cow::Borrowed("/"),
                single,
            };
        }
        if self.cut {
            return Value::Unknown {
                start: Cow::Owned(self.text),
                single,
            };
        }
        match self.pattern {
            Some(pattern) => Value::Pattern(pattern),
            None => Value::Literal(Cow::Owned(self.text)),
        }
    }
}

/// A text with a backslash before whatever a pattern would read.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if "*?[]{}()!@+\\|".contains(char) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}
