//! Whether what was judged is still what is there (R10).

use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;

use crate::target::observe::{facts_at, facts_of};
use crate::{Error, ErrorKind, Facts, FileKind, Held, Leaf, Name, Operation, Target};

pub(super) fn changed() -> Error {
    Error::new(ErrorKind::Changed)
}

/// An error number that, right after a check, can only mean that somebody changed the name in between.
pub(super) fn raced(number: Errno) -> Error {
    match number {
        Errno::NOENT | Errno::NOTDIR | Errno::ISDIR | Errno::LOOP | Errno::STALE => changed(),
        Errno::BUSY => Error::new(ErrorKind::Mount),
        other => Error::os(other),
    }
}

/// The same object, on the same mount.
pub(super) fn same_object(held: &Facts, now: &Facts) -> Result<(), Error> {
    if held.is_of_same_object(now) {
        Ok(())
    } else {
        Err(changed())
    }
}

/// The same object, untouched.
pub(super) fn unchanged(held: &Facts, now: &Facts) -> Result<(), Error> {
    if held.is_untouched(now) {
        Ok(())
    } else {
        Err(changed())
    }
}

/// The held directory is still somewhere.
pub(super) fn parent_stands(parent: impl AsFd) -> Result<(), Error> {
    is_somewhere(&facts_of(parent)?)
}

/// The directory, opened again, is the one that was judged, and still somewhere.
pub(super) fn dir_stands(dir: impl AsFd, held: &Facts) -> Result<(), Error> {
    let now = facts_of(dir)?;
    same_object(held, &now)?;
    is_somewhere(&now)
}

fn is_somewhere(now: &Facts) -> Result<(), Error> {
    if now.links > 0 { Ok(()) } else { Err(changed()) }
}

/// The name still leads to what was judged, untouched.
pub(super) fn name_stands(name: &Name, held: &Facts) -> Result<(), Error> {
    parent_stands(&name.parent)?;
    unchanged(held, &present(&name.parent, &name.leaf)?)
}

/// What the name leads to now; a free name means that what was judged is gone.
pub(super) fn present(parent: impl AsFd, leaf: &Leaf) -> Result<Facts, Error> {
    facts_at(parent, leaf).map_err(|error| match error.kind() {
        ErrorKind::NotFound => changed(),
        _ => error,
    })
}

/// The name, where the operation got one. `/` has none.
pub(super) fn named(name: Option<&Name>) -> Result<&Name, Error> {
    name.ok_or_else(|| Error::new(ErrorKind::Unsupported))
}

/// What names of the wrong type are refused with.
pub(super) fn wrong_kind(kind: FileKind) -> Error {
    Error::new(match kind {
        FileKind::Special => ErrorKind::Special,
        FileKind::File | FileKind::Dir => ErrorKind::WrongType,
    })
}

impl Target {
    /// The rights that were judged are for one operation: those for reading do not reach to removing (R11).
    pub(super) fn judged_for(&self, operations: &[Operation]) -> Result<(), Error> {
        if operations.contains(&self.operation) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::WrongOperation))
        }
    }

    /// As [`Target::judged_for`], for what changes something: the whole chain up to the root is asked again, so
    /// that a directory that was moved out of the root meanwhile takes no change with it.
    pub(super) fn may_change(&self, operations: &[Operation]) -> Result<(), Error> {
        self.judged_for(operations)?;
        self.verify()
    }

    /// The existing object of the wanted kind.
    pub(super) fn existing(&self, wanted: FileKind) -> Result<Existing<'_>, Error> {
        match &self.held {
            Held::Existing { object, facts, name } if facts.kind == wanted && !facts.is_link => {
                Ok(Existing {
                    object,
                    facts,
                    name: name.as_ref(),
                })
            }
            Held::Existing { facts, .. } => Err(wrong_kind(facts.kind)),
            Held::Link { .. } => Err(Error::new(ErrorKind::WrongType)),
            Held::Missing { .. } => Err(Error::new(ErrorKind::NotFound)),
        }
    }
}

/// An existing object, borrowed from the target.
#[derive(Clone, Copy)]
pub(super) struct Existing<'a> {
    pub(super) object: &'a OwnedFd,
    pub(super) facts: &'a Facts,
    pub(super) name: Option<&'a Name>,
}
