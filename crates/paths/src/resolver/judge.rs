//! From where a walk ended to a target or a refusal: deny-read, deny-write, outside, confirm, inside (R4).

use super::chain::{Lost, Node, Walked, place_of};
use super::cover::Cover;
use super::leaf::{add_concerns, check_leaf};
use super::mounts::any_below;
use super::roam::Roams;
use super::standing::{Stand, check_mounts};
use crate::target::Remarks;
use crate::zones::Zones;
use crate::{Concern, Error, ErrorKind, FileKind, Held, Leaf, Name, Operation, Standing, Target};

pub(super) fn judge(
    zones: &Zones,
    operation: Operation,
    walked: Walked,
    roams: Roams,
) -> Result<Target, Error> {
    let steps = walked.steps();
    let places = [Some(steps.as_slice()), walked.also.as_deref()];
    let places: Vec<_> = places.into_iter().flatten().collect();
    let mut cover = Cover::of(zones, operation, &places);
    cover.cross(zones, operation, &walked.crossed);
    if let (Some(node), true) = (walked.chain.last(), walked.tail.is_empty()) {
        cover.names(zones, operation, &steps, &node.facts);
    }
    cover.refuse(zones, || place_of(&steps))?;
    let place = place_of(&steps);
    let stand = Stand::of(zones, operation, &walked);
    let touches = cover.touches.clone();
    let refuse = |error: Error| {
        let error = stand.refuse(error, roams).at(place.clone());
        error.touching(touches.clone())
    };
    check_mounts(zones, &walked.chain).map_err(refuse)?;
    check_leaf(operation, &walked).map_err(refuse)?;
    if empties(operation, &walked)
        && matches!(stand.standing, Standing::Inside { .. })
        && any_below(&place).map_err(refuse)?
    {
        return Err(refuse(Error::new(ErrorKind::Mount)));
    }
    add_concerns(zones, operation, &walked, &mut cover.concerns).map_err(refuse)?;
    if roams == Roams::Climbs {
        cover.concerns.push(Concern::Climbs);
    }
    let held = hold(operation, walked.chain, walked.tail).map_err(refuse)?;
    Ok(Target {
        place,
        standing: stand.standing,
        operation,
        held,
        root: stand.root,
        remarks: Remarks::new(cover.concerns, walked.links, cover.touches),
    })
}

/// The operation goes through a directory and deletes what it finds there.
fn empties(operation: Operation, walked: &Walked) -> bool {
    let top = walked.chain.last().filter(|_| walked.tail.is_empty());
    operation == Operation::DeleteTree && top.is_some_and(|node| node.facts.kind == FileKind::Dir)
}

/// Where a walk broke off inside a protected place, the protection is what is told.
pub(super) fn judge_lost(zones: &Zones, operation: Operation, lost: Lost, roams: Roams) -> Error {
    let steps = lost.steps();
    let mut cover = Cover::around(zones, operation, &steps);
    cover.cross(zones, operation, &lost.crossed);
    if let Err(protected) = cover.refuse(zones, || place_of(&steps)) {
        return protected;
    }
    let stand = Stand::on(zones, lost.chain.iter().map(|node| node.facts.identity));
    let would_climb = lost.would_climb && (stand.standing == Standing::Outside || roams != Roams::No);
    let roams = if would_climb { Roams::Climbs } else { roams };
    let error = stand.refuse(lost.error, roams).at(place_of(&steps));
    error.touching(cover.touches)
}

fn hold(operation: Operation, mut chain: Vec<Node>, tail: Vec<Leaf>) -> Result<Held, Error> {
    let last = chain.pop().ok_or_else(|| Error::new(ErrorKind::Io))?;
    if !tail.is_empty() {
        return Ok(Held::Missing {
            parent: last.object.alone()?,
            tail,
        });
    }
    let mut name = None;
    if operation.needs_name() || last.facts.is_link {
        if let (Some(parent), Some(leaf)) = (chain.pop(), Leaf::from_bytes(&last.name)) {
            name = Some(Name {
                parent: parent.object.alone()?,
                leaf,
            });
        } else if operation.acts_on_name() {
            return Err(Error::new(ErrorKind::WrongType));
        }
    }
    let object = last.object.alone()?;
    match name {
        Some(name) if last.facts.is_link => Ok(Held::Link {
            object,
            facts: last.facts,
            name,
        }),
        name => Ok(Held::Existing {
            object,
            facts: last.facts,
            name,
        }),
    }
}
