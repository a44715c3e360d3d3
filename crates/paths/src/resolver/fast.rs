//! The plain case: one `openat2` below a root, or below `/`, or what stands for it. When it succeeds, no link and no mount was crossed, so the
//! canonical place is the base's and the text, and zones can be looked up by name.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::backend::open_name_unchecked;
use super::beneath::{Deepest, Opened, Stopped, beneath, in_one_call_all};
use super::lanes::On;
use super::text::Text;
use crate::operation::MissingLeaf;
use crate::target::facts_on_mount;
use crate::{Facts, FileKind, Held, Leaf, Name, Operation, Relation};

/// Why the plain case is not all there is.
pub(super) enum Stop {
    /// A link is on the way; where, if that is known already.
    Link(Option<Deepest>),
    /// The last name is a link, this one, and it is to be followed.
    LastLink(OwnedFd, Facts),
    /// Something on the way, or the object, does not exist; how far the way leads, if that is known already.
    Missing(Option<Deepest>),
    /// The walk has to tell.
    Other,
}

impl From<Stopped> for Stop {
    fn from(stopped: Stopped) -> Self {
        match stopped.errno {
            Errno::LOOP => Self::Link(stopped.at),
            Errno::NOENT => Self::Missing(stopped.at),
            _ => Self::Other,
        }
    }
}

/// Holds what the text spells, for the operation.
pub(super) fn hold(
    operation: Operation,
    on: &On<'_>,
    text: &mut Text,
    near: &[(usize, Relation)],
) -> Result<Held, Stop> {
    if operation.needs_name() || !operation.follows() {
        return named(operation, on, text, near);
    }
    let end = text.place.len();
    let opened = match in_one_call_all(on, text) {
        Some(object) => object.map_err(Stopped::from)?.into(),
        None => beneath(on, text, end)?,
    };
    let facts = facts(on, &opened, near)?;
    let object = opened.object;
    // `O_PATH | O_NOFOLLOW` opens a last link itself, and a FIFO.
    if facts.is_link {
        return Err(Stop::LastLink(object, facts));
    }
    if !fits(operation, text, &facts) {
        return Err(Stop::Other);
    }
    Ok(Held::Existing {
        object,
        facts,
        name: None,
    })
}

/// An object of this kind can be looked at or opened for the operation.
#[inline]
pub(super) fn fits(operation: Operation, text: &Text, facts: &Facts) -> bool {
    let needs_dir = text.must_be_dir || operation == Operation::WorkingDir;
    facts.kind != FileKind::Special && (!needs_dir || facts.kind == FileKind::Dir)
}

/// An object or a new name, held together with its parent.
fn named(
    operation: Operation,
    on: &On<'_>,
    text: &mut Text,
    near: &[(usize, Relation)],
) -> Result<Held, Stop> {
    if text.must_be_dir {
        return Err(Stop::Other);
    }
    let below = on.below(&text.place);
    let slash = below.iter().rposition(|byte| *byte == b'/');
    let leaf = below.get(slash.map_or(0, |slash| slash + 1)..);
    let leaf = leaf.and_then(Leaf::from_bytes).ok_or(Stop::Other)?;
    // By its names it is no zone, and it crossed no mount: the kernel need not be asked what it is.
    let opened = beneath(on, text, on.lane.start() + slash.unwrap_or_default())?;
    if on.lane.has_subvolumes() {
        facts(on, &opened, near)?;
    }
    let parent = opened.object;
    match open_name_unchecked(&parent, leaf.as_bytes()) {
        Ok(object) => existing(operation, on, object, Name { parent, leaf }, near),
        Err(Errno::NOENT) if operation.missing_leaf() != MissingLeaf::Refuse => Ok(Held::Missing {
            parent,
            tail: vec![leaf],
        }),
        // The parent is a link itself, or a file.
        Err(Errno::NOTDIR) => Err(Stop::Link(None)),
        Err(errno) => Err(Stopped::from(errno).into()),
    }
}

fn existing(
    operation: Operation,
    on: &On<'_>,
    object: OwnedFd,
    name: Name,
    near: &[(usize, Relation)],
) -> Result<Held, Stop> {
    let facts = crate::target::facts_of(&object).map_err(|_| Stop::Other)?;
    let foreign = facts.mount != on.base.facts.mount || !on.lane.spares(on.base, &facts, near);
    if facts.is_link && operation.follows() && !foreign {
        return Err(Stop::LastLink(object, facts));
    }
    let plain = matches!(
        operation,
        Operation::Write | Operation::Delete | Operation::DeleteTree | Operation::MoveFrom
    ) || !operation.writes();
    // Whether something is mounted in it, the walk looks up.
    let empties = operation == Operation::DeleteTree && facts.kind == FileKind::Dir;
    if foreign
        || empties
        || !plain
        || (facts.kind == FileKind::Special && (operation.opens() || !facts.is_link))
    {
        return Err(Stop::Other);
    }
    if facts.is_link {
        return Ok(Held::Link { object, facts, name });
    }
    Ok(Held::Existing {
        object,
        facts,
        name: operation.needs_name().then_some(name),
    })
}

/// The facts of what was opened below the base.
pub(super) fn facts(on: &On<'_>, opened: &Opened, near: &[(usize, Relation)]) -> Result<Facts, Stop> {
    match opened.facts {
        Some(facts) if on.lane.spares(on.base, &facts, near) => Ok(facts),
        Some(_) => Err(Stop::Other),
        None => observe(on, &opened.object, near),
    }
}

/// No mount was crossed on the way.
fn observe(on: &On<'_>, object: &OwnedFd, near: &[(usize, Relation)]) -> Result<Facts, Stop> {
    let facts = facts_on_mount(object, on.base.facts.mount).map_err(|_| Stop::Other)?;
    if on.lane.spares(on.base, &facts, near) {
        Ok(facts)
    } else {
        Err(Stop::Other)
    }
}
