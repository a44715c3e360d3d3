//! What the operation asks of the last component, and what a person should know of it.

use super::chain::Walked;
use super::filesystem::is_weak;
use crate::operation::MissingLeaf;
use crate::visible::unusual;
use crate::zones::Zones;
use crate::{Concern, Error, ErrorKind, FileKind, Operation};

/// The last component fits the operation: the table of R11, and nothing special is opened (R12).
pub(super) fn check_leaf(operation: Operation, walked: &Walked) -> Result<(), Error> {
    let refuse = |kind| Err(Error::new(kind));
    if !walked.tail.is_empty() {
        return check_missing(operation, walked.tail.len(), walked.must_be_dir);
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

/// The operation can do with so many names that are not there.
pub(super) fn check_missing(operation: Operation, names: usize, must_be_dir: bool) -> Result<(), Error> {
    let kind = match operation.missing_leaf() {
        MissingLeaf::Refuse => ErrorKind::NotFound,
        MissingLeaf::MakeInParent if must_be_dir || names > 1 => ErrorKind::NotFound,
        MissingLeaf::Make if must_be_dir && operation != Operation::MakeDir => ErrorKind::NotADirectory,
        _ => return Ok(()),
    };
    Err(Error::new(kind))
}

/// Hard links, weak identities and names that cannot be read as they are.
pub(super) fn add_concerns(
    zones: &Zones,
    operation: Operation,
    walked: &Walked,
    concerns: &mut Vec<Concern>,
) -> Result<(), Error> {
    let Some(node) = walked.chain.last() else {
        return Ok(());
    };
    let exists = walked.tail.is_empty();
    let in_place = matches!(operation, Operation::Write | Operation::SetMeta);
    if exists && in_place && node.facts.kind == FileKind::File && node.facts.links > 1 {
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
    Ok(())
}
