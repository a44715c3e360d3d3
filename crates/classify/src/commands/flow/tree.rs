//! Who stands in whom, and who feeds whom.

use crate::shell::{GroupKind, Part, Script, Seat};

/// The parts of a script as a tree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// What stands at the top.
    top: Vec<Part>,
    commands: Vec<Node>,
    groups: Vec<Node>,
}

/// What is known of one part.
#[derive(Debug, Clone, Default)]
struct Node {
    /// Its place in the order in which parts begin.
    position: usize,
    /// A pipe leads from it.
    feeds: bool,
    /// What stands in the group.
    children: Vec<Part>,
    /// The groups that the command runs.
    behind: Vec<usize>,
}

impl Tree {
    pub(super) fn of(script: &Script) -> Self {
        let mut tree = Self {
            top: Vec::new(),
            commands: vec![Node::default(); script.commands().len()],
            groups: vec![Node::default(); script.groups().len()],
        };
        for (position, part) in script.parts().iter().enumerate() {
            if let Some(node) = tree.node_mut(*part) {
                node.position = position;
            }
            let Some(seat) = script.seat(*part) else { continue };
            if let Some(feeder) = seat.fed_by.and_then(|feeder| tree.node_mut(feeder)) {
                feeder.feeds = true;
            }
            if let (Some(runner), Part::Group(group)) = (runner(script, *part), *part) {
                if let Some(runner) = tree.commands.get_mut(runner) {
                    runner.behind.push(group);
                }
                continue;
            }
            match seat.group {
                None => tree.top.push(*part),
                Some(group) => {
                    if let Some(group) = tree.groups.get_mut(group) {
                        group.children.push(*part);
                    }
                }
            }
        }
        tree
    }

    fn node(&self, part: Part) -> Option<&Node> {
        match part {
            Part::Command(number) => self.commands.get(number),
            Part::Group(number) => self.groups.get(number),
        }
    }

    fn node_mut(&mut self, part: Part) -> Option<&mut Node> {
        match part {
            Part::Command(number) => self.commands.get_mut(number),
            Part::Group(number) => self.groups.get_mut(number),
        }
    }

    /// What stands directly in a group, or at the top.
    pub(super) fn children(&self, group: Option<usize>) -> &[Part] {
        match group {
            None => &self.top,
            Some(group) => self.groups.get(group).map_or(&[], |group| &group.children),
        }
    }

    /// The groups of what a command runs.
    pub(super) fn behind(&self, command: usize) -> &[usize] {
        self.commands.get(command).map_or(&[], |command| &command.behind)
    }

    /// The place in the order in which parts begin.
    pub(super) fn position(&self, part: Part) -> usize {
        self.node(part).map_or(usize::MAX, |node| node.position)
    }

    /// Whether a part runs in a process of its own: it is in a pipeline or in the background.
    pub(super) fn is_apart(&self, part: Part, seat: Seat) -> bool {
        seat.background || self.is_piped(part, seat)
    }

    /// Whether a part is in a pipeline.
    pub(super) fn is_piped(&self, part: Part, seat: Seat) -> bool {
        seat.fed_by.is_some() || self.node(part).is_some_and(|node| node.feeds)
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
