//! A place that a rule names, in the tree in memory: what has its name, by whatever way the rule spells it.

use portcullis_paths::{Operation, ZoneKind};

use super::position::{Crossing, Position, Steps};
use super::world::{Id, Object, World};

/// A rule about one place, which need not be there.
pub(crate) struct Fence {
    kind: ZoneKind,
    /// Where the rule's text leads and, for each link on its way, that link and the names behind it.
    ways: Vec<Steps>,
}

/// How a place stands to a rule's.
#[derive(PartialEq, Eq)]
enum Meets {
    /// It is the place, or below it.
    In,
    /// The place is below it.
    Above,
}

impl Fence {
    /// `None` where the text leads nowhere.
    pub(crate) fn new(world: &World, kind: ZoneKind, text: &str) -> Option<Self> {
        let position = world.walked(text).ok()?;
        let mut ways = vec![position.steps()];
        ways.extend(position.crossed.iter().filter_map(Crossing::spelled));
        Some(Self { kind, ways })
    }

    /// The rule forbids the operation at what was reached, or on the way there.
    pub(crate) fn forbids(
        &self,
        world: &World,
        operation: Operation,
        position: &Position,
        outside: impl Fn(&Steps) -> bool,
    ) -> bool {
        let writes = writes(operation);
        if self.kind == ZoneKind::DenyWrite && !writes {
            return false;
        }
        let there = [Some(position.steps()), position.via.clone()];
        let places = there.iter().flatten().filter_map(|steps| self.meets(steps));
        let met = places
            .into_iter()
            .any(|meets| meets == Meets::In || takes(operation));
        let crossed = position.crossed.iter().any(|crossing| {
            let above = crossing.is_link && self.meets(&crossing.steps) == Some(Meets::Above);
            let renamed = above && crossing.spelled().is_some_and(|steps| self.has(&steps));
            let counts = self.kind == ZoneKind::DenyRead || (crossing.is_link && outside(&crossing.steps));
            renamed || (counts && self.has(&crossing.steps))
        });
        met || crossed || (world.is_shared(position) && self.names(world, position))
    }

    /// Of a way that ended in an error, as far as it came: what is surely forbidden.
    pub(crate) fn has_lost(&self, operation: Operation, position: &Position) -> bool {
        let counts = self.kind == ZoneKind::DenyRead || writes(operation);
        let crossed = position.crossed.iter().any(|crossing| self.has(&crossing.steps));
        counts && (self.has(&position.steps()) || (self.kind == ZoneKind::DenyRead && crossed))
    }

    fn has(&self, steps: &Steps) -> bool {
        self.meets(steps) == Some(Meets::In)
    }

    /// Wherever both have one object, the names behind it are compared.
    fn meets(&self, steps: &Steps) -> Option<Meets> {
        let mut found = None;
        for way in &self.ways {
            for (ours, theirs) in
                (0..way.len()).flat_map(|ours| (0..steps.len()).map(move |theirs| (ours, theirs)))
            {
                if way[ours].1.is_none() || way[ours].1 != steps[theirs].1 {
                    continue;
                }
                let (left, right) = (&way[ours + 1..], &steps[theirs + 1..]);
                if left.iter().zip(right).all(|(ours, theirs)| alike(ours, theirs)) {
                    if left.len() <= right.len() {
                        return Some(Meets::In);
                    }
                    found = Some(Meets::Above);
                }
            }
        }
        found
    }

    /// The file has another name in the place, or in one that some disk confuses with it.
    fn names(&self, world: &World, position: &Position) -> bool {
        let Some((_, Some(file))) = position.steps().pop() else {
            return false;
        };
        self.ways.iter().any(|way| {
            let mut here = vec![0];
            for (name, id) in &way[1..] {
                let is = |child: &(&String, Id)| match id {
                    Some(id) => child.1 == *id,
                    None => child.0.eq_ignore_ascii_case(name),
                };
                let below = here.iter().flat_map(|dir| world.children(*dir)).filter(is);
                here = below.map(|(_, id)| id).collect();
            }
            here.into_iter().any(|top| holds(world, top, file))
        })
    }
}

fn alike(ours: &(String, Option<Id>), theirs: &(String, Option<Id>)) -> bool {
    match (ours.1, theirs.1) {
        _ if ours.0 == theirs.0 => true,
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => ours.0.eq_ignore_ascii_case(&theirs.0),
    }
}

fn holds(world: &World, top: Id, wanted: Id) -> bool {
    top == wanted || world.children(top).any(|(_, id)| holds(world, id, wanted))
}

fn takes(operation: Operation) -> bool {
    use Operation::{Delete, DeleteTree, LinkTo, MoveFrom, MoveTo};
    matches!(operation, Delete | DeleteTree | LinkTo | MoveFrom | MoveTo)
}

fn writes(operation: Operation) -> bool {
    use Operation::{CreateNew, HardLinkFrom, MakeDir, SetMeta, Write};
    takes(operation) || matches!(operation, CreateNew | HardLinkFrom | MakeDir | SetMeta | Write)
}

impl World {
    /// What is in a directory.
    fn children(&self, dir: Id) -> impl Iterator<Item = (&String, Id)> {
        let names = match &self.objects[dir] {
            Object::Dir(names) => Some(names),
            _ => None,
        };
        names.into_iter().flatten().map(|(name, id)| (name, *id))
    }

    /// What was reached is a file with several names.
    pub(crate) fn is_shared(&self, position: &Position) -> bool {
        let Some((_, Some(id))) = position.steps().pop() else {
            return false;
        };
        let named = |dir: Id| self.children(dir).filter(|(_, child)| *child == id).count();
        !matches!(self.objects[id], Object::Dir(_)) && (0..self.objects.len()).map(named).sum::<usize>() > 1
    }
}
