//! The list as a whole.

use super::{Assignment, Group, GroupKind, Redirection, Seat, SimpleCommand, Word};

/// Every simple command of a text, and the groups they stand in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    commands: Vec<SimpleCommand>,
    groups: Vec<Group>,
    /// Both, in the order in which they begin.
    order: Vec<Part>,
}

/// A command or a group, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// A simple command.
    Command(usize),
    /// A group.
    Group(usize),
}

/// What a command reads as its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input<'a> {
    /// Whatever the shell itself reads.
    Inherited,
    /// The output of another part of the same pipeline.
    Pipe(Part),
    /// A redirection of the command or of a group around it: a file, a text, another descriptor.
    Redirection(&'a Redirection),
    /// What is written to the `>( … )` of this group.
    Process(usize),
}

impl Script {
    /// The simple commands, in the order in which they begin in the text.
    #[must_use]
    pub fn commands(&self) -> &[SimpleCommand] {
        &self.commands
    }

    /// The groups, in the order in which they begin in the text.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Commands and groups in the order in which they begin; what wrappers run stands behind all others.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.order
    }

    /// The seat of a command or a group.
    #[must_use]
    pub fn seat(&self, part: Part) -> Option<Seat> {
        match part {
            Part::Command(number) => Some(self.commands.get(number)?.seat),
            Part::Group(number) => Some(self.groups.get(number)?.seat),
        }
    }

    /// What the command of this number reads as standard input, through the groups around it.
    #[must_use]
    pub fn input(&self, command: usize) -> Input<'_> {
        let Some(command) = self.commands.get(command) else {
            return Input::Inherited;
        };
        let mut redirections = &command.redirections;
        let mut seat = command.seat;
        // A group stands in one that was opened before it, so this ends.
        for _ in 0..=self.groups.len() {
            if let Some(last) = redirections.iter().rev().find(|one| one.is_input()) {
                return Input::Redirection(last);
            }
            if let Some(feeder) = seat.fed_by {
                return Input::Pipe(feeder);
            }
            let Some((number, group)) = seat.group.and_then(|at| Some((at, self.groups.get(at)?))) else {
                break;
            };
            if group.kind == GroupKind::ProcessOutput {
                return Input::Process(number);
            }
            // What a command runs reads what the command reads.
            let runner = match group.kind {
                GroupKind::Eval(command) | GroupKind::Behind(command) => self.commands.get(command),
                _ => None,
            };
            redirections = runner.map_or(&group.redirections, |command| &command.redirections);
            seat = group.seat;
        }
        Input::Inherited
    }

    /// The words of a part that the shell expands to names of files: those of a command and of arrays, and those that a
    /// loop goes through, but no subject and no pattern of a `case` or a test.
    pub(crate) fn expanded(&self, part: Part) -> impl Iterator<Item = &Word> {
        let (words, assignments): (&[Word], &[Assignment]) = match part {
            Part::Command(number) => self
                .commands
                .get(number)
                .map_or((&[], &[]), |one| (&one.words, &one.assignments)),
            Part::Group(number) => {
                let group = self.groups.get(number);
                let loops = group.filter(|one| matches!(one.kind, GroupKind::For | GroupKind::Select));
                (loops.map_or(&[], |one| &one.words), &[])
            }
        };
        let arrays = assignments.iter().filter(|one| one.array);
        words.iter().chain(arrays.flat_map(|one| &one.values))
    }

    pub(super) const fn empty() -> Self {
        Self {
            commands: Vec::new(),
            groups: Vec::new(),
            order: Vec::new(),
        }
    }

    pub(super) fn command_mut(&mut self, number: usize) -> Option<&mut SimpleCommand> {
        self.commands.get_mut(number)
    }

    pub(super) fn group_mut(&mut self, number: usize) -> Option<&mut Group> {
        self.groups.get_mut(number)
    }

    pub(super) fn redirections_mut(&mut self, part: Part) -> Option<&mut Vec<Redirection>> {
        match part {
            Part::Command(number) => Some(&mut self.commands.get_mut(number)?.redirections),
            Part::Group(number) => Some(&mut self.groups.get_mut(number)?.redirections),
        }
    }

    pub(super) fn add_command(&mut self, command: SimpleCommand) -> usize {
        self.commands.push(command);
        let number = self.commands.len() - 1;
        self.order.push(Part::Command(number));
        number
    }

    pub(super) fn drop_last_command(&mut self) {
        self.commands.pop();
        self.order.pop();
    }

    pub(super) fn add_group(&mut self, group: Group) -> usize {
        self.groups.push(group);
        let number = self.groups.len() - 1;
        self.order.push(Part::Group(number));
        number
    }

    /// Puts everything that was added to the group since these numbers into the background.
    pub(super) fn send_to_background(&mut self, group: Option<usize>, commands: usize, groups: usize) {
        let commands = self.commands.iter_mut().skip(commands).map(|one| &mut one.seat);
        let groups = self.groups.iter_mut().skip(groups).map(|one| &mut one.seat);
        for seat in commands.chain(groups).filter(|seat| seat.group == group) {
            seat.background = true;
        }
    }
}
