//! Lists of files that a text goes through itself: in a loop over what a substitution prints, or line by line.

use super::{Flow, Found};
use crate::shell::{Assignment, GroupKind, Input, Link, Operator, Part, Piece, SimpleCommand, Word};

impl Flow<'_> {
    /// The files whose names a word becomes that is a substitution without quotes, and nothing else.
    pub(super) fn substituted(&self, word: &Word) -> Option<Found> {
        let [Piece::Substitution { group, quoted: false }] = word.pieces() else {
            return None;
        };
        let kind = self.script.groups().get(*group)?.kind;
        let plain = matches!(kind, GroupKind::Command | GroupKind::Backquotes);
        self.listed(*group, false).filter(|_| plain)
    }

    /// The files whose names the one pipe of a group prints.
    fn listed(&self, group: usize, zero: bool) -> Option<Found> {
        let parts = self.tree.children(Some(group));
        let (last, before) = parts.split_last()?;
        let Part::Command(number) = last else { return None };
        let mut fed = before.iter().zip(parts.iter().skip(1));
        fed.all(|(feeder, part)| self.script.seat(*part).and_then(|seat| seat.fed_by) == Some(*feeder))
            .then(|| self.printed(*number, zero))?
    }

    /// The files of which a variable holds one after the other, because `read` takes them from a list.
    pub(super) fn read_from(&self, at: Part, name: &str) -> Option<Found> {
        let [number] = self.variables.reads(name)? else {
            return None;
        };
        let command = self.script.commands().get(*number)?;
        let seat = command.seat;
        let (by, at) = (Part::Command(*number), self.context(at));
        let before = self.tree.position(by) < self.tree.position(at);
        let plain = seat.link == Link::Always && !self.tree.is_apart(by, seat);
        if !before || !plain || !self.groups_around(at).contains(&seat.group) {
            return None;
        }
        let zero = command.words.iter().any(|word| word.literal() == Some(""));
        let mut found = match self.script.input(*number) {
            Input::Redirection(one) if one.operator == Operator::Read => match one.operand.pieces() {
                [Piece::Substitution { group, .. }] => self.listed(*group, zero),
                _ => None,
            },
            _ => self.fed(*number, zero),
        }?;
        // Blanks at both ends are taken off, unless it is told otherwise.
        let whole = |one: &Assignment| {
            one.name == "IFS" && one.values.iter().all(|value| value.literal() == Some(""))
        };
        // Without `-r` a backslash is taken off.
        let raw = command.words.len() > 2;
        found.splits |= !raw || !matches!(command.assignments.as_slice(), [one] if whole(one));
        Some(found)
    }
}

/// The variable into which a command reads whole lines, or texts that end with a zero.
pub(super) fn reads(command: &SimpleCommand) -> Option<&str> {
    if command
        .redirections
        .iter()
        .any(crate::shell::Redirection::is_input)
    {
        return None;
    }
    let words: Option<Vec<&str>> = command.words.iter().map(Word::literal).collect();
    match words?.as_slice() {
        ["read", name]
        | ["read", "-r", name]
        | ["read", "-rd", "", name]
        | ["read", "-r", "-d", "", name]
            if crate::shell::is_name(name) =>
        {
            command.words.last()?.literal()
        }
        _ => None,
    }
}
