//! From where a walk ended to a target or a refusal: deny-read, deny-write, outside, confirm, inside (R4).

use super::chain::{Lost, Node, Step, Walked, place_of};
use super::filesystem::is_weak;
use crate::escape::unusual;
use crate::operation::MissingLeaf;
use crate::target::RootMark;
use crate::zones::{OpenZone, Zones};
use crate::{
    Concern, Error, ErrorKind, FileKind, Held, Leaf, Name, Operation, Relation, Standing, Target, Touch,
    ZoneKind,
};

/// What the zones say about a place.
#[derive(Debug, Default)]
pub(super) struct Cover {
    denied: Option<(ZoneKind, usize)>,
    concerns: Vec<Concern>,
    touches: Vec<Touch>,
}

pub(super) fn judge(zones: &Zones, operation: Operation, walked: Walked) -> Result<Target, Error> {
    let steps = walked.steps();
    let mut cover = Cover::default();
    cover.add(zones, operation, &steps);
    if let Some(link) = &walked.also {
        cover.add(zones, operation, link);
    }
    cover.refuse(zones, &steps)?;
    let place = place_of(&steps);
    let mut standing = standing(zones, operation, &walked.chain, &walked.tail);
    if let Some(link) = &walked.also {
        let parent = link.len().saturating_sub(1);
        standing = strictest(
            standing,
            stand(zones, link.iter().take(parent).map(|step| step.identity)),
        );
    }
    let refuse = |error: Error| {
        let error = error.at(place.clone());
        if standing == Standing::Outside {
            error.outside()
        } else {
            error
        }
    };
    check_mounts(zones, &walked.chain).map_err(refuse)?;
    check_leaf(operation, &walked).map_err(refuse)?;
    let concerns = concerns(zones, operation, &walked, cover.concerns).map_err(refuse)?;
    let root = root_mark(zones, operation, &walked);
    let links = walked.links;
    let held = hold(operation, walked.chain, walked.tail).map_err(refuse)?;
    Ok(Target {
        place,
        standing,
        operation,
        concerns,
        links,
        touches: cover.touches,
        held,
        root,
    })
}

/// Where a walk broke off inside a protected place, the protection is what is told.
pub(super) fn judge_lost(zones: &Zones, operation: Operation, lost: Lost) -> Error {
    let steps = lost.steps();
    let mut cover = Cover::default();
    // What was not reached holds nothing: only a zone around it counts.
    let around = |zone: &OpenZone| zone.relate(&steps) == Some(Relation::Within);
    for (index, zone) in zones.zones.iter().enumerate().filter(|(_, zone)| around(zone)) {
        if zone.kind == ZoneKind::DenyRead || (zone.kind == ZoneKind::DenyWrite && operation.writes()) {
            cover.deny(zone.kind, index);
        }
    }
    if let Err(protected) = cover.refuse(zones, &steps) {
        return protected;
    }
    let error = lost.error.at(place_of(&steps));
    match stand(zones, lost.chain.iter().map(|node| Some(node.facts.identity))) {
        Standing::Outside => error.outside(),
        Standing::Inside { .. } => error,
    }
}

impl Cover {
    fn add(&mut self, zones: &Zones, operation: Operation, steps: &[Step]) {
        for (index, zone) in zones.zones.iter().enumerate() {
            let Some(relation) = zone.relate(steps) else {
                continue;
            };
            let within = relation == Relation::Within;
            let takes = within || operation.takes_subtree();
            let reads_below = operation.reads_subtree();
            if !takes && !reads_below {
                continue;
            }
            let touch = Touch {
                zone: zone.id.clone(),
                relation,
            };
            if !self.touches.contains(&touch) {
                self.touches.push(touch);
            }
            let zone_id = zone.id.clone();
            match zone.kind {
                ZoneKind::DenyRead if takes => self.deny(ZoneKind::DenyRead, index),
                ZoneKind::DenyWrite if takes && operation.writes() => self.deny(ZoneKind::DenyWrite, index),
                ZoneKind::DenyRead | ZoneKind::ConfirmRead if operation.reads() => {
                    self.concern(Concern::ConfirmRead { zone: zone_id });
                }
                ZoneKind::ConfirmWrite if takes && operation.writes() => {
                    self.concern(Concern::ConfirmWrite { zone: zone_id });
                }
                _ => {}
            }
        }
    }

    fn deny(&mut self, kind: ZoneKind, index: usize) {
        let stricter =
            matches!(self.denied, None | Some((ZoneKind::DenyWrite, _))) && kind == ZoneKind::DenyRead;
        if self.denied.is_none() || stricter {
            self.denied = Some((kind, index));
        }
    }

    fn concern(&mut self, concern: Concern) {
        if !self.concerns.contains(&concern) {
            self.concerns.push(concern);
        }
    }

    fn refuse(&self, zones: &Zones, steps: &[Step]) -> Result<(), Error> {
        match self.denied.and_then(|(_, index)| zones.zones.get(index)) {
            Some(zone) => Err(Error::protected(&zone.id).at(place_of(steps))),
            None => Ok(()),
        }
    }
}

/// Where an object stands: for an operation on its name, where the name stands.
fn standing(zones: &Zones, operation: Operation, chain: &[Node], tail: &[Leaf]) -> Standing {
    let counted = counted(operation, chain, tail);
    stand(
        zones,
        chain.iter().take(counted).map(|node| Some(node.facts.identity)),
    )
}

/// How many of the chain's objects count for the standing.
fn counted(operation: Operation, chain: &[Node], tail: &[Leaf]) -> usize {
    if operation.acts_on_name() && tail.is_empty() {
        chain.len().saturating_sub(1)
    } else {
        chain.len()
    }
}

/// The innermost root on the chain, by identity (R3).
fn stand(zones: &Zones, chain: impl Iterator<Item = Option<crate::Identity>>) -> Standing {
    let mut standing = Standing::Outside;
    for identity in chain {
        if let Some(root) = zones
            .roots
            .iter()
            .position(|root| Some(root.facts.identity) == identity)
        {
            standing = Standing::Inside { root };
        }
    }
    standing
}

fn strictest(a: Standing, b: Standing) -> Standing {
    if b == Standing::Outside { b } else { a }
}

fn root_mark(zones: &Zones, operation: Operation, walked: &Walked) -> Option<RootMark> {
    let counted = counted(operation, &walked.chain, &walked.tail);
    let mut mark = None;
    for (depth, node) in walked.chain.iter().take(counted).enumerate() {
        if zones
            .roots
            .iter()
            .any(|root| root.facts.identity == node.facts.identity)
        {
            mark = Some(RootMark {
                depth,
                identity: node.facts.identity,
            });
        }
    }
    mark
}

/// Below a root, another mount is another place, unless it is a root itself.
fn check_mounts(zones: &Zones, chain: &[Node]) -> Result<(), Error> {
    let mut mount = None;
    for node in chain {
        let is_root = zones
            .roots
            .iter()
            .any(|root| root.facts.identity == node.facts.identity);
        if is_root {
            mount = Some(node.facts.mount);
        } else if mount.is_some_and(|mount| mount != node.facts.mount) {
            return Err(Error::new(ErrorKind::Mount));
        }
    }
    Ok(())
}

fn check_leaf(operation: Operation, walked: &Walked) -> Result<(), Error> {
    let refuse = |kind| Err(Error::new(kind));
    if !walked.tail.is_empty() {
        return match operation.missing_leaf() {
            MissingLeaf::Refuse => refuse(ErrorKind::NotFound),
            MissingLeaf::MakeInParent if walked.must_be_dir || walked.tail.len() > 1 => {
                refuse(ErrorKind::NotFound)
            }
            MissingLeaf::Make if walked.must_be_dir && operation != Operation::MakeDir => {
                refuse(ErrorKind::NotADirectory)
            }
            _ => Ok(()),
        };
    }
    let Some(node) = walked.chain.last() else {
        return refuse(ErrorKind::Io);
    };
    let facts = node.facts;
    if operation == Operation::CreateNew || (operation == Operation::MakeDir && facts.kind != FileKind::Dir) {
        return refuse(ErrorKind::Exists);
    }
    if operation == Operation::WorkingDir && facts.kind != FileKind::Dir {
        return refuse(ErrorKind::NotADirectory);
    }
    if operation.opens() && facts.kind == FileKind::Special && !facts.is_link {
        return refuse(ErrorKind::Special);
    }
    Ok(())
}

fn concerns(
    zones: &Zones,
    operation: Operation,
    walked: &Walked,
    mut concerns: Vec<Concern>,
) -> Result<Vec<Concern>, Error> {
    let Some(node) = walked.chain.last() else {
        return Ok(concerns);
    };
    let exists = walked.tail.is_empty();
    if exists && operation == Operation::Write && node.facts.kind == FileKind::File && node.facts.links > 1 {
        concerns.push(Concern::HardLinked {
            names: node.facts.links,
        });
    }
    let known = zones
        .roots
        .iter()
        .find(|root| root.facts.mount == node.facts.mount);
    if known.map_or_else(|| is_weak(&node.object), |root| Ok(root.weak))? {
        concerns.push(Concern::WeakIdentity);
    }
    let made = matches!(operation, Operation::MoveTo | Operation::LinkTo) && exists && unusual(&node.name);
    if made || walked.tail.iter().any(|leaf| unusual(leaf.as_bytes())) {
        concerns.push(Concern::UnusualName);
    }
    Ok(concerns)
}

fn hold(operation: Operation, mut chain: Vec<Node>, tail: Vec<Leaf>) -> Result<Held, Error> {
    let last = chain.pop().ok_or(Error::new(ErrorKind::Io))?;
    if !tail.is_empty() {
        return Ok(Held::Missing {
            parent: last.object,
            parent_facts: last.facts,
            tail,
        });
    }
    let mut name = None;
    if operation.needs_name() || last.facts.is_link {
        if let (Some(parent), Some(leaf)) = (chain.pop(), Leaf::from_bytes(&last.name)) {
            name = Some(Name {
                parent: parent.object,
                parent_facts: parent.facts,
                leaf,
            });
        } else if operation.acts_on_name() {
            return Err(Error::new(ErrorKind::WrongType));
        }
    }
    match name {
        Some(name) if last.facts.is_link => Ok(Held::Link {
            object: last.object,
            facts: last.facts,
            name,
        }),
        name => Ok(Held::Existing {
            object: last.object,
            facts: last.facts,
            name,
        }),
    }
}
