//! The working directory, followed through `cd`.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::Flow;
use super::moves::below;
use crate::commands::{Argument, PathRole, Role, Value, base_name, read};
use crate::shell::{GroupKind, Link, Part, Word, wrapper_moves};

/// Most directories that a command may run in before none is known.
const MOST: usize = 6;

/// Where a command may run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Directories {
    known: Rc<Vec<Directory>>,
    unknown: bool,
}

/// One directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Directory {
    /// An absolute path, as it was put together.
    Path(String),
    /// A directory that the same text has made below the temporary one, and this below it.
    Fresh(String),
}

impl Directories {
    pub(super) fn unknown() -> Self {
        Self {
            known: Rc::default(),
            unknown: true,
        }
    }

    pub(super) fn only(directory: Directory) -> Self {
        Self {
            known: Rc::new(vec![directory]),
            unknown: false,
        }
    }

    /// All that are known.
    pub(crate) fn known(&self) -> &[Directory] {
        &self.known
    }

    /// Whether it may be another one as well.
    pub(crate) const fn may_be_another(&self) -> bool {
        self.unknown
    }

    /// Where a program is that was told to go there first.
    pub(crate) fn below_all(&self, argument: &Argument<'_>) -> Self {
        let mut all = Self::default();
        for value in argument.values() {
            let next = match value {
                Value::Literal(text) if text.is_empty() => self.clone(),
                Value::Literal(text) => below(self, text),
                Value::Fresh(rest) => Self::only(Directory::Fresh(rest.clone())),
                Value::Pattern(_) | Value::Found(_) | Value::Unknown { .. } => Self::unknown(),
            };
            all = all.join(&next);
        }
        all
    }

    fn is_never(&self) -> bool {
        self.known.is_empty() && !self.unknown
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        if self == other || other.is_never() {
            return self.clone();
        }
        if self.is_never() {
            return other.clone();
        }
        let mut known = self.known.as_ref().clone();
        for directory in other.known.iter() {
            if !known.contains(directory) {
                known.push(directory.clone());
            }
        }
        let unknown = self.unknown || other.unknown || known.len() > MOST;
        known.truncate(MOST);
        Self {
            known: Rc::new(known),
            unknown,
        }
    }
}

/// The directories of every part of a script.
#[derive(Debug, Default)]
pub(super) struct Table {
    commands: Vec<Directories>,
    groups: Vec<Directories>,
    never: Directories,
}

impl Table {
    pub(super) fn of(&self, part: Part) -> &Directories {
        let found = match part {
            Part::Command(number) => self.commands.get(number),
            Part::Group(number) => self.groups.get(number),
        };
        found.unwrap_or(&self.never)
    }

    fn set(&mut self, part: Part, directories: &Directories) {
        let slot = match part {
            Part::Command(number) => self.commands.get_mut(number),
            Part::Group(number) => self.groups.get_mut(number),
        };
        if let Some(slot) = slot {
            *slot = slot.join(directories);
        }
    }
}

/// After something has run: where one is when it succeeded, and when it failed.
#[derive(Debug, Clone)]
pub(super) struct After {
    pub(super) success: Directories,
    pub(super) failure: Directories,
}

impl After {
    fn both(directories: &Directories) -> Self {
        Self {
            success: directories.clone(),
            failure: directories.clone(),
        }
    }

    fn any(&self) -> Directories {
        self.success.join(&self.failure)
    }
}

/// Follows a whole script.
pub(super) fn follow(flow: &Flow<'_>, start: Option<&str>) -> Table {
    let script = flow.script;
    let start = start.map_or_else(Directories::unknown, |start| {
        Directories::only(Directory::Path(start.to_owned()))
    });
    let mut table = Table {
        commands: vec![Directories::default(); script.commands().len()],
        groups: vec![Directories::default(); script.groups().len()],
        never: Directories::unknown(),
    };
    let follower = Follower {
        flow,
        left: RefCell::default(),
        pops_no_more: OnceCell::new(),
    };
    follower.list(&mut table, None, &start);
    let left = follower.left.borrow().clone();
    if !left.is_never() {
        // What a `popd` that stands before others leads to is known only now.
        follower.list(&mut table, None, &start);
    }
    // What nobody came by, because it stands behind an `exit` or in an odd place, may run anywhere.
    for directories in table.commands.iter_mut().chain(&mut table.groups) {
        if directories.is_never() {
            *directories = Directories::unknown();
        }
    }
    table
}

pub(super) struct Follower<'f, 's> {
    pub(super) flow: &'f Flow<'s>,
    /// Every directory that the text has left for another with `pushd`.
    pub(super) left: RefCell<Directories>,
    /// Whether it takes no more from there than it puts there, once that is asked.
    pub(super) pops_no_more: OnceCell<bool>,
}

impl Follower<'_, '_> {
    fn list(&self, table: &mut Table, group: Option<usize>, start: &Directories) -> After {
        let script = self.flow.script;
        let mut now = After::both(start);
        let mut before = start.clone();
        // A list in the background is a process of its own: what follows it begins where it began.
        let mut foreground: Option<After> = None;
        for part in self.flow.tree.children(group) {
            let Some(seat) = script.seat(*part) else { continue };
            if let Part::Group(number) = part
                && script
                    .groups()
                    .get(*number)
                    .is_some_and(|one| one.kind.is_substitution())
            {
                // It runs before the command whose word it supplies.
                table.set(*part, &before);
                self.list(table, Some(*number), &before);
                continue;
            }
            if seat.link == Link::Always {
                now = foreground.take().unwrap_or(now);
                foreground = seat.background.then(|| now.clone());
            }
            let base = match seat.link {
                Link::Always => now.any(),
                Link::Success => now.success.clone(),
                Link::Failure => now.failure.clone(),
            };
            before = base.clone();
            table.set(*part, &base);
            let mut after = match part {
                Part::Command(number) => self.command(table, *number, &base),
                Part::Group(number) => self.group(table, *number, &base),
            };
            if self.flow.tree.is_piped(*part, seat) {
                after = After::both(&base);
            }
            if seat.negated {
                std::mem::swap(&mut after.success, &mut after.failure);
            }
            now = match seat.link {
                Link::Always => after,
                Link::Success => After {
                    failure: now.failure.join(&after.failure),
                    success: after.success,
                },
                Link::Failure => After {
                    success: now.success.join(&after.success),
                    failure: after.failure,
                },
            };
        }
        foreground.unwrap_or(now)
    }

    fn group(&self, table: &mut Table, number: usize, base: &Directories) -> After {
        let Some(group) = self.flow.script.groups().get(number) else {
            return After::both(base);
        };
        match group.kind {
            GroupKind::Braces | GroupKind::Eval(_) => self.list(table, Some(number), base),
            GroupKind::If | GroupKind::Case => {
                let inner = self.list(table, Some(number), base).any();
                After::both(&base.join(&inner))
            }
            GroupKind::While | GroupKind::Until | GroupKind::For | GroupKind::Select => {
                let inner = self.list(table, Some(number), base).any();
                if inner == *base || inner.is_never() {
                    return After::both(base);
                }
                // The next round begins where this one ended.
                let anywhere = base.join(&inner).join(&Directories::unknown());
                self.list(table, Some(number), &anywhere);
                After::both(&anywhere)
            }
            _ => {
                self.list(table, Some(number), base);
                After::both(base)
            }
        }
    }

    fn command(&self, table: &mut Table, number: usize, base: &Directories) -> After {
        let behind = self.flow.tree.behind(number);
        if !behind.is_empty() {
            let moved = self.moved_by_runner(number, base);
            for group in behind {
                table.set(Part::Group(*group), &moved);
                self.list(table, Some(*group), &moved);
            }
        }
        let Some(command) = self.flow.script.commands().get(number) else {
            return After::both(base);
        };
        let stays = After::both(base);
        let literal = |at: usize| command.words.get(at).and_then(Word::literal);
        match literal(0) {
            Some("cd") => After {
                success: self.changed(
                    Part::Command(number),
                    command.words.get(1..).unwrap_or_default(),
                    base,
                ),
                failure: base.clone(),
            },
            Some("pushd") => self.pushed(number, base),
            // Whatever is on the stack was left before, and an empty stack is a failure.
            Some("popd") => After {
                success: match command.words.len() {
                    1 if self.pops_no_more() => self.left.borrow().clone(),
                    _ => Directories::unknown(),
                },
                failure: base.clone(),
            },
            Some("command" | "builtin") if matches!(literal(1), Some("cd" | "pushd" | "popd")) => After {
                success: Directories::unknown(),
                failure: base.clone(),
            },
            Some("exit") => After::both(&Directories::default()),
            _ => stays,
        }
    }

    /// Where a runner runs its command: in its own directory, in one that an option names, or elsewhere, which is not
    /// followed.
    fn moved_by_runner(&self, number: usize, base: &Directories) -> Directories {
        let command = self.flow.script.commands().get(number);
        let Some((first, words)) = command.and_then(|command| command.words.split_first()) else {
            return base.clone();
        };
        let Some(name) = first.literal().map(base_name) else {
            return base.clone();
        };
        let mut moved = base.clone();
        if wrapper_moves(name, words) {
            moved = moved.join(&Directories::unknown());
        }
        let table = self.flow.table;
        if let Some(program) = table.get(name) {
            let arguments: Vec<_> = words.iter().map(Argument::of_word).collect();
            let reading = read(table, program, &arguments);
            let moves = reading
                .acts
                .iter()
                .filter(|act| act.role == Role::Path(PathRole::WorkingDir));
            for act in moves {
                // Some run it there, some where they were called.
                moved = moved.join(&base.below_all(&act.argument));
            }
            if reading.moves {
                moved = moved.join(&Directories::unknown());
            }
        }
        moved
    }
}
