//! Simple assignments, followed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Flow;
use crate::shell::{
    GroupKind, Link, Part, Piece, Script, SimpleCommand, Word, declares, is_name, marks, sets_variables,
};

/// Most assignments to one variable that are followed.
const MOST: usize = 8;

/// Every assignment of a script.
#[derive(Debug, Default)]
pub(super) struct Variables<'s> {
    settings: HashMap<&'s str, Vec<Setting<'s>>>,
    /// The commands that read lines into a variable.
    reads: HashMap<&'s str, Vec<usize>>,
    /// Words of builtins that may name a variable.
    named: Vec<&'s Word>,
}

/// One assignment.
#[derive(Debug, Clone)]
pub(super) struct Setting<'s> {
    pub(super) by: Part,
    /// What it may become: one of these.
    pub(super) words: Cow<'s, [Word]>,
    /// It is a plain value.
    plain: bool,
    /// All elements of an array are set.
    whole: bool,
}

impl<'s> Variables<'s> {
    pub(super) fn of(script: &'s Script) -> Self {
        let mut all = Self::default();
        let read: HashSet<usize> = script
            .groups()
            .iter()
            .filter_map(|group| match group.kind {
                GroupKind::Eval(number) => Some(number),
                _ => None,
            })
            .collect();
        for (number, command) in script.commands().iter().enumerate() {
            all.command(number, command, read.contains(&number));
        }
        for (number, group) in script.groups().iter().enumerate() {
            if let Some(name) = &group.variable {
                all.settings.entry(name).or_default().push(Setting {
                    by: Part::Group(number),
                    words: Cow::Borrowed(&group.words),
                    plain: !group.words.is_empty(),
                    whole: false,
                });
            }
        }
        all
    }

    /// `read`: what it sets stands in a text that was read, and so among the other commands.
    fn command(&mut self, number: usize, command: &'s SimpleCommand, read: bool) {
        if command.words.is_empty() {
            for assignment in &command.assignments {
                self.settings.entry(&assignment.name).or_default().push(Setting {
                    by: Part::Command(number),
                    words: Cow::Borrowed(&assignment.values),
                    plain: !assignment.appends && !assignment.array,
                    whole: assignment.array && !assignment.appends && !assignment.values.is_empty(),
                });
            }
        }
        if self.declaration(number, command).is_some() {
            return;
        }
        if let Some(name) = super::lists::reads(command) {
            self.reads.entry(name).or_default().push(number);
            return;
        }
        // Without an option it only prints.
        let format = command.words.get(1).filter(|_| command.name() == Some("printf"));
        let prints =
            format.is_some_and(|format| !format.known_start().starts_with('-') && !format.is_dynamic());
        if !prints && !read && may_set(command) {
            self.named.extend(command.words.iter().skip(1));
        }
    }

    /// `export a=b`, `readonly a=b` and `declare a=b` set like `a=b`, as long as they say nothing else of the variable.
    fn declaration(&mut self, number: usize, command: &'s SimpleCommand) -> Option<()> {
        let (first, words) = command.words.split_first()?;
        let name = first.literal()?;
        let marked = marks(name);
        if !marked && !declares(name) {
            return None;
        }
        let is_option = |word: &&Word| {
            word.literal()
                .and_then(|text| text.strip_prefix('-'))
                .is_some_and(|letters| {
                    let plain = |letter: char| matches!(letter, 'x' | 'r' | 'g');
                    !marked && !letters.is_empty() && letters.chars().all(plain)
                })
        };
        let count = words.iter().take_while(is_option).count();
        let mut settings = Vec::new();
        for word in words.iter().skip(count) {
            let Some((name, _)) = word.known_start().split_once('=') else {
                // Only marked, what it holds stays.
                if marked && word.literal().is_some_and(is_name) {
                    continue;
                }
                return None;
            };
            // These builtins look for no files, but another shell's may.
            let selects = |piece: &Piece| matches!(piece, Piece::Glob(_) | Piece::Brace(_));
            if !is_name(name) || word.pieces().iter().any(selects) {
                return None;
            }
            settings.push((name, word.value()?));
        }
        for (name, value) in settings {
            self.settings.entry(name).or_default().push(Setting {
                by: Part::Command(number),
                words: Cow::Owned(vec![value]),
                plain: true,
                whole: false,
            });
        }
        Some(())
    }

    /// Whether nothing in the text sets it.
    pub(super) fn is_untouched(&self, name: &str) -> bool {
        !self.settings.contains_key(name) && !self.reads.contains_key(name) && !self.may_be_set(name)
    }

    /// Whether the text sets it by its name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.settings.contains_key(name)
            || self.reads.contains_key(name)
            || self.named.iter().any(|word| word.literal() == Some(name))
    }

    /// Whether the text gives it a value that the shell reads as a pattern where no quotes stand around it; `steps`: through
    /// how many variables.
    pub(super) fn holds_a_pattern(&self, name: &str, steps: usize) -> bool {
        let within = |text: &str| text.contains(['*', '?', '[']);
        let selects = |word: &Word| {
            word.literal().is_some_and(within)
                || word.pieces().iter().any(|piece| match piece {
                    Piece::Literal(text) => within(text),
                    Piece::Glob(_) => true,
                    Piece::Variable { name, .. } => steps == 0 || self.holds_a_pattern(name, steps - 1),
                    _ => false,
                })
        };
        let settings = self.settings.get(name);
        settings.is_some_and(|all| all.iter().any(|one| one.words.iter().any(selects)))
    }

    /// The commands that read lines into it, when nothing else sets it.
    pub(super) fn reads(&self, name: &str) -> Option<&[usize]> {
        let reads = self.reads.get(name)?;
        (!self.settings.contains_key(name) && !self.may_be_set(name)).then_some(reads)
    }

    /// All assignments, when they are plain and nothing else sets the variable.
    pub(super) fn plain(&self, name: &str) -> Option<&[Setting<'s>]> {
        let settings = self.settings.get(name)?;
        let plain = settings.len() <= MOST && settings.iter().all(|setting| setting.plain);
        let only = !self.reads.contains_key(name) && !self.may_be_set(name);
        (plain && only).then_some(settings)
    }

    /// All assignments, when they are to the elements of an array and nothing else sets it.
    pub(super) fn array(&self, name: &str) -> Option<&[Setting<'s>]> {
        let settings = self.settings.get(name)?;
        let plain = settings.len() <= MOST && settings.iter().all(|setting| setting.whole);
        let only = !self.reads.contains_key(name) && !self.may_be_set(name);
        (plain && only).then_some(settings)
    }

    fn may_be_set(&self, name: &str) -> bool {
        self.named.iter().any(|word| match word.literal() {
            Some(text) => text.strip_suffix(']').unwrap_or(text).contains(name),
            None => true,
        })
    }
}

/// Whether a builtin runs that may set what its words name. Behind `command` and `builtin` stands the one that runs.
fn may_set(command: &SimpleCommand) -> bool {
    let mut names = command.words.iter().map(Word::literal);
    let run = match names.next().flatten() {
        Some("command" | "builtin") => names.find(|name| name.is_none_or(|name| !name.starts_with('-'))),
        name => Some(name),
    };
    match run {
        Some(Some(name)) => sets_variables(name),
        Some(None) => command.name().is_some(),
        None => false,
    }
}

impl Flow<'_> {
    /// Whether what `by` sets may be what `at` sees: it stands before, and no other shell lies between them.
    pub(super) fn may_be_set_before(&self, by: Part, at: Part) -> bool {
        let at = self.context(at);
        let Some(seat) = self.script.seat(by) else {
            return false;
        };
        self.tree.position(by) < self.tree.position(at)
            && self.groups_around(at).contains(&seat.group)
            && !self.tree.is_apart(by, seat)
    }

    /// Whether what `by` sets is set for certain when `at` runs.
    pub(super) fn is_set_before(&self, by: Part, at: Part) -> bool {
        let script = self.script;
        let at = self.context(at);
        let chain = self.groups_around(at);
        if let Part::Group(group) = by {
            return chain.contains(&Some(group)) && self.tree.position(by) < self.tree.position(at);
        }
        let Some(seat) = script.seat(by) else { return false };
        let linear = match seat.group.and_then(|group| script.groups().get(group)) {
            None => true,
            Some(group) => !matches!(
                group.kind,
                GroupKind::If
                    | GroupKind::Case
                    | GroupKind::While
                    | GroupKind::Until
                    | GroupKind::Function
                    | GroupKind::Coprocess
            ),
        };
        let (from, to) = (self.tree.position(by), self.tree.position(at));
        if !linear || from >= to || !chain.contains(&seat.group) || self.tree.is_apart(by, seat) {
            return false;
        }
        seat.link == Link::Always || self.only_after_success(seat.group, from, to)
    }

    /// Whether everything of a group between two positions runs only when what stands before it succeeded.
    fn only_after_success(&self, group: Option<usize>, from: usize, to: usize) -> bool {
        let parts = self
            .script
            .parts()
            .iter()
            .take(to.saturating_add(1))
            .skip(from + 1);
        parts
            .filter(|part| {
                let substitution = match part {
                    Part::Group(number) => self
                        .script
                        .groups()
                        .get(*number)
                        .is_some_and(|one| one.kind.is_substitution()),
                    Part::Command(_) => false,
                };
                !substitution && self.script.seat(**part).is_some_and(|seat| seat.group == group)
            })
            .all(|part| {
                self.script
                    .seat(*part)
                    .is_some_and(|seat| seat.link == Link::Success)
            })
    }

    /// The command whose shell expands the words of this one: words behind a wrapper are expanded before it runs.
    pub(super) fn context(&self, mut at: Part) -> Part {
        for _ in 0..self.script.groups().len() {
            let Part::Command(number) = at else { return at };
            let Some(runner) = self.words_runner(number) else {
                return at;
            };
            at = Part::Command(runner);
        }
        at
    }

    /// The wrapper among whose words the command stands.
    fn words_runner(&self, command: usize) -> Option<usize> {
        let group = self.script.commands().get(command)?.seat.group?;
        self.runner(group, false)
    }

    /// The command that runs a group: as words among its own, or else as a text of another shell.
    pub(super) fn runner(&self, group: usize, as_text: bool) -> Option<usize> {
        let group = self.script.groups().get(group)?;
        let GroupKind::Behind(runner) = group.kind else {
            return None;
        };
        (group.is_of_words != as_text).then_some(runner)
    }

    /// The groups around a part whose variables it sees, the top as `None`.
    pub(super) fn groups_around(&self, part: Part) -> Vec<Option<usize>> {
        let mut around = Vec::new();
        let mut group = self.script.seat(part).and_then(|seat| seat.group);
        if let Part::Group(own) = part {
            around.push(Some(own));
        }
        for _ in 0..=self.script.groups().len() {
            around.push(group);
            let Some(number) = group else { break };
            // Another shell sees none of these.
            if self.runner(number, true).is_some() {
                break;
            }
            group = self.script.groups().get(number).and_then(|one| one.seat.group);
        }
        around
    }
}
