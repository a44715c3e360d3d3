//! Who stands in whom, and who feeds whom.

use std::collections::{HashMap, HashSet};

use crate::shell::{GroupKind, Part, Script, Seat};

/// The parts of a script as a tree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    children: HashMap<Option<usize>, Vec<Part>>,
    /// What each command runs.
    behind: HashMap<usize, Vec<usize>>,
    feeders: HashSet<Part>,
    positions: HashMap<Part, usize>,
}

impl Tree {
    pub(super) fn of(script: &Script) -> Self {
        let mut tree = Self::default();
        for (position, part) in script.parts().iter().enumerate() {
            tree.positions.insert(*part, position);
            let Some(seat) = script.seat(*part) else { continue };
            tree.feeders.extend(seat.fed_by);
            if let Some(runner) = runner(script, *part) {
                if let Part::Group(group) = part {
                    tree.behind.entry(runner).or_default().push(*group);
                }
                continue;
            }
            tree.children.entry(seat.group).or_default().push(*part);
        }
        tree
    }

    /// What stands directly in a group, or at the top.
    pub(super) fn children(&self, group: Option<usize>) -> &[Part] {
        self.children.get(&group).map_or(&[], Vec::as_slice)
    }

    /// The groups of what a command runs.
    pub(super) fn behind(&self, command: usize) -> &[usize] {
        self.behind.get(&command).map_or(&[], Vec::as_slice)
    }

    /// The place in the order in which parts begin.
    pub(super) fn position(&self, part: Part) -> usize {
        self.positions.get(&part).copied().unwrap_or(usize::MAX)
    }

    /// Whether a part runs in a process of its own: it is in a pipeline or in the background.
    pub(super) fn is_apart(&self, part: Part, seat: Seat) -> bool {
        seat.background || self.is_piped(part, seat)
    }

    /// Whether a part is in a pipeline.
    pub(super) fn is_piped(&self, part: Part, seat: Seat) -> bool {
        seat.fed_by.is_some() || self.feeders.contains(&part)
    }
}

/// The command that runs a group.
fn runner(script: &Script, part: Part) -> Option<usize> {
    let Part::Group(group) = part else { return None };
    match script.groups().get(group)?.kind {
        GroupKind::Behind(command) => Some(command),
        _ => None,
    }
}
