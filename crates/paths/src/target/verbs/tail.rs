//! Missing names: the parents among them are made level by level, each held before the next is made.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;

use super::{check, raw, sync};
use crate::target::observe::facts_of;
use crate::{Error, ErrorKind, FileKind, Leaf};

/// Makes all but the last missing name and hands over the directory that the last one belongs in.
///
/// Directories made before an error stay: they are empty, and removing them again could only race.
pub(super) fn make_parents<'a>(held: &'a OwnedFd, tail: &'a [Leaf]) -> Result<(Parent<'a>, &'a Leaf), Error> {
    let (last, parents) = tail
        .split_last()
        .ok_or_else(|| Error::new(ErrorKind::Unsupported))?;
    check::parent_stands(held)?;
    let mut parent = Parent::Held(held);
    for leaf in parents {
        parent = Parent::Made(make_one(&parent, leaf)?);
    }
    Ok((parent, last))
}

/// Makes one directory and holds it. The name was judged missing, so that anything there now is a change.
pub(super) fn make_one(parent: impl AsFd, leaf: &Leaf) -> Result<OwnedFd, Error> {
    let top = facts_of(&parent)?;
    raw::make_dir_unchecked(&parent, leaf.as_bytes()).map_err(|number| match number {
        Errno::EXIST => check::changed(),
        other => check::raced(other),
    })?;
    // RACE: whoever may write here can put another directory in the place of the new one; it is then the
    // directory at the judged place, and a link or a mount is refused.
    let made = raw::hold_dir_unchecked(&parent, leaf.as_bytes()).map_err(check::raced)?;
    let now = facts_of(&made)?;
    let ours =
        now.kind == FileKind::Dir && now.mount == top.mount && now.identity.device == top.identity.device;
    if !ours {
        return Err(check::changed());
    }
    sync::directory(&parent)?;
    Ok(made)
}

/// The directory that a missing name belongs in.
pub(super) enum Parent<'a> {
    Held(&'a OwnedFd),
    Made(OwnedFd),
}

impl AsFd for Parent<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Held(fd) => fd.as_fd(),
            Self::Made(fd) => fd.as_fd(),
        }
    }
}
