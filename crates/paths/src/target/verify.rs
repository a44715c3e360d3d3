//! Is the target still what was judged? Asked by name, from `/`, without following a link (R10).

use std::os::fd::AsFd as _;

use super::{Facts, Held, Target, facts_of};
use crate::resolver::{open_name_unchecked, open_slash};
use crate::{Error, ErrorKind, FileKind, Identity, Leaf};

/// The root that stood on the target's chain, by its depth there; `/` has depth 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RootMark {
    pub(crate) depth: usize,
    pub(crate) identity: Identity,
}

impl Target {
    pub(super) fn check(&self) -> Result<(), Error> {
        let (facts, tail) = match &self.held {
            Held::Existing { facts, .. } | Held::Link { facts, .. } => (facts, &[][..]),
            Held::Missing {
                parent_facts, tail, ..
            } => (parent_facts, tail.as_slice()),
        };
        let names = self
            .place
            .as_bytes()
            .split(|byte| *byte == b'/')
            .filter(|name| !name.is_empty());
        let names: Vec<&[u8]> = names.collect();
        let existing = names.len().checked_sub(tail.len()).ok_or_else(changed)?;
        let mut object = open_slash().map_err(Error::os)?;
        self.check_root(0, &object)?;
        for (depth, name) in names.iter().take(existing).enumerate() {
            object = open_name_unchecked(&object, name).map_err(gone)?;
            self.check_root(depth + 1, &object)?;
        }
        if !same_object(&facts_of(&object)?, facts) {
            return Err(changed());
        }
        match tail.first() {
            Some(leaf) => still_missing(&object, leaf),
            None => Ok(()),
        }
    }

    fn check_root(&self, depth: usize, object: &std::os::fd::OwnedFd) -> Result<(), Error> {
        match self.root {
            Some(root) if root.depth == depth && facts_of(object.as_fd())?.identity != root.identity => {
                Err(changed())
            }
            _ => Ok(()),
        }
    }
}

/// Whether the facts are of one object that nobody has touched in between. A directory's content may change.
fn same_object(now: &Facts, judged: &Facts) -> bool {
    let same = now.identity == judged.identity
        && now.btime == judged.btime
        && now.kind == judged.kind
        && now.is_link == judged.is_link;
    let untouched = now.links == judged.links && now.ctime == judged.ctime;
    same && (untouched || judged.kind == FileKind::Dir)
}

fn still_missing(parent: &std::os::fd::OwnedFd, leaf: &Leaf) -> Result<(), Error> {
    match super::facts_at(parent, leaf) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(changed()),
    }
}

fn changed() -> Error {
    Error::new(ErrorKind::Changed)
}

fn gone(errno: rustix::io::Errno) -> Error {
    Error::os(errno).turned(ErrorKind::Changed)
}
