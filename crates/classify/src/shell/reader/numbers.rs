//! Variables that hold numbers for certain. Arithmetic evaluates the value of any other as an expression again, and a
//! subscript in there runs commands.

use std::collections::{HashMap, HashSet};

use super::super::{
    Doubt, Group, GroupKind, Link, Part, Piece, Place, Reason, Script, Seat, SimpleCommand, Word, meaning,
};
use super::Reader;
use super::counts::is_count;

/// Most names that are followed in one text.
const MOST: usize = 32;

/// What was seen of variables in arithmetic while reading.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    uses: Vec<Use>,
    sets: Vec<Set>,
}

/// A variable is evaluated here.
#[derive(Debug)]
struct Use {
    name: String,
    group: Option<usize>,
    doubt: Doubt,
}

/// An expression that runs for certain when its group does gives a variable its value.
#[derive(Debug)]
struct Set {
    name: String,
    group: Option<usize>,
    /// Where the expression ends.
    end: usize,
}

impl Reader<'_> {
    /// A variable is evaluated as arithmetic: a doubt, unless it turns out to be a number.
    pub(super) fn used_as_number(&mut self, name: &str, reason: Reason, place: Place) {
        // Another shell begins with other variables, and a text within another has no places of its own.
        if self.quoted_at.is_some() || self.in_body || !is_ours(name) {
            return self.doubt(reason, place);
        }
        self.numbers.uses.push(Use {
            name: name.to_owned(),
            group: self.seat.group,
            doubt: Doubt::new(reason, place),
        });
    }

    /// These variables have numbers from here on, in the group that is open.
    pub(super) fn numbers_are_set(&mut self, names: &mut Vec<String>) {
        let (group, end) = (self.seat.group, self.at);
        let sets = names.drain(..).map(|name| Set { name, group, end });
        self.numbers.sets.extend(sets);
    }

    /// Doubts whatever is not known to be a number, once everything is read.
    pub(super) fn doubt_what_is_no_number(&mut self) {
        let numbers = std::mem::take(&mut self.numbers);
        if numbers.uses.is_empty() {
            return;
        }
        let known = Known::of(&self.script, &numbers);
        let doubts: Vec<Doubt> = numbers
            .uses
            .iter()
            .filter(|one| !known.is_number(one))
            .map(|one| one.doubt)
            .collect();
        doubts.into_iter().for_each(|doubt| self.keep(doubt));
    }
}

/// Whether a name is one that only the text itself gives a value: not one of those that shells set by themselves.
fn is_ours(name: &str) -> bool {
    let small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    meaning::is_name(name) && name != "_" && (name.len() == 1 || name.bytes().all(small))
}

/// The names of a script that get nothing but numbers.
struct Known<'s> {
    script: &'s Script,
    /// Where each of them first has a number for certain, by the group in which that holds. A name that may be anything
    /// else is not there.
    first: HashMap<&'s str, HashMap<Option<usize>, usize>>,
}

impl<'s> Known<'s> {
    fn of(script: &'s Script, numbers: &'s Numbers) -> Self {
        let mut first: HashMap<&str, HashMap<Option<usize>, usize>> = HashMap::new();
        for one in &numbers.uses {
            first.entry(&one.name).or_default();
        }
        let mut known = Self { script, first };
        if known.first.len() > MOST {
            known.first.clear();
        }
        known.remember(numbers);
        known.forget();
        known
    }

    /// Notes every place at which a name gets a number for certain.
    fn remember(&mut self, numbers: &'s Numbers) {
        let script = self.script;
        let seats = script.parts().iter().filter_map(|part| script.seat(*part));
        let feeders: HashSet<Part> = seats.filter_map(|seat| seat.fed_by).collect();
        let runs = |part: Part, seat: Seat| {
            let apart = seat.background || seat.fed_by.is_some() || feeders.contains(&part);
            !apart && seat.link == Link::Always && seat.group.is_none_or(|group| is_straight(script, group))
        };
        for (number, command) in script.commands().iter().enumerate() {
            let plain = command.words.is_empty() && command.redirections.is_empty();
            if plain && runs(Part::Command(number), command.seat) {
                for assignment in &command.assignments {
                    self.note(&assignment.name, command.seat.group, command.place.end);
                }
            }
        }
        for set in &numbers.sets {
            let Some((number, group)) = set.group.and_then(|at| Some((at, script.groups().get(at)?))) else {
                continue;
            };
            match group.kind {
                // The head of a loop is evaluated before anything in it.
                GroupKind::For => self.note(&set.name, set.group, set.end),
                GroupKind::Arithmetic if runs(Part::Group(number), group.seat) => {
                    self.note(&set.name, group.seat.group, set.end);
                }
                _ => {}
            }
        }
        for (number, group) in script.groups().iter().enumerate() {
            // Behind its words: there it has the value that it had before.
            if let (Some(name), Some(last)) = (&group.variable, group.words.last()) {
                self.note(name, Some(number), last.place().end);
            }
        }
    }

    fn note(&mut self, name: &str, group: Option<usize>, end: usize) {
        if let Some(places) = self.first.get_mut(name) {
            let first = places.entry(group).or_insert(end);
            *first = end.min(*first);
        }
    }

    /// Takes out every name that may get something else as well.
    fn forget(&mut self) {
        for command in self.script.commands() {
            for assignment in &command.assignments {
                if assignment.array || !assignment.values.iter().all(|word| is_number(self.script, word)) {
                    self.first.remove(assignment.name.as_str());
                }
            }
            if command.name().is_some_and(meaning::sets_variables) {
                self.set_by_builtin(command);
            }
        }
        for group in self.script.groups() {
            if let Some(name) = &group.variable
                && (group.words.is_empty() || !group.words.iter().all(|word| is_number(self.script, word)))
            {
                self.first.remove(name.as_str());
            }
        }
    }

    /// Takes out the names that stand among the words of a builtin.
    fn set_by_builtin(&mut self, command: &SimpleCommand) {
        let Some((first, words)) = command.words.split_first() else {
            return;
        };
        let prints = first.literal() == Some("printf");
        if prints
            && words
                .first()
                .and_then(Word::literal)
                .is_some_and(|format| !format.starts_with('-'))
        {
            return;
        }
        for word in words {
            let text = match word.literal() {
                Some(text) => text,
                // `name=…`
                None if word.known_start().contains('=') => word.known_start(),
                None => return self.first.clear(),
            };
            for name in text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_') {
                self.first.remove(name);
                if text.starts_with('-') {
                    // `-vNAME`, also behind other letters.
                    for (at, _) in name.char_indices() {
                        self.first.remove(name.get(at..).unwrap_or_default());
                    }
                }
            }
        }
    }

    fn is_number(&self, one: &Use) -> bool {
        let Some(places) = self.first.get(one.name.as_str()) else {
            return false;
        };
        let mut group = one.group;
        for _ in 0..=self.script.groups().len() {
            if places
                .get(&group)
                .is_some_and(|end| *end <= one.doubt.place.start)
            {
                return true;
            }
            let Some(outer) = group.and_then(|number| self.script.groups().get(number)) else {
                return false;
            };
            group = outer.seat.group;
        }
        false
    }
}

/// Whether everything that stands directly in a group runs when the group does.
fn is_straight(script: &Script, group: usize) -> bool {
    let kind = |group: &Group| {
        matches!(
            group.kind,
            GroupKind::Subshell
                | GroupKind::Braces
                | GroupKind::For
                | GroupKind::Command
                | GroupKind::Backquotes
                | GroupKind::ProcessInput
                | GroupKind::ProcessOutput
        )
    };
    script.groups().get(group).is_some_and(kind)
}

/// Whether a word becomes numbers and nothing else.
fn is_number(script: &Script, word: &Word) -> bool {
    let digits = |text: &str| {
        let text = text.strip_prefix('-').unwrap_or(text);
        (1..18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let range = |piece: &Piece| match piece {
        Piece::Brace(_) => true,
        Piece::Literal(text) => text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'),
        _ => false,
    };
    match (word.literal(), word.pieces()) {
        (Some(text), _) => digits(text),
        (None, [Piece::Substitution { group, .. }]) => is_count(script, *group),
        (None, _) => {
            word.is_number() || word.pieces() == [Piece::Arithmetic] || word.pieces().iter().all(range)
        }
    }
}
