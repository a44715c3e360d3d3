//! Is the target still what was judged? Asked by name, from `/`, without following a link (R10).

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::{Held, Target, facts_at, facts_of};
use crate::resolver::{open_name_unchecked, open_slash, open_without_links};
use crate::{Error, ErrorKind, Identity, Leaf};

/// The root that stood on the target's chain, by its depth there; `/` has depth 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RootMark {
    pub(crate) depth: usize,
    pub(crate) identity: Identity,
}

impl Target {
    pub(super) fn check(&self) -> Result<(), Error> {
        let (held, judged, tail) = match &self.held {
            Held::Existing { object, facts, .. } | Held::Link { object, facts, .. } => {
                (object, Some(facts), &[][..])
            }
            Held::Missing { parent, tail } => (parent, None, tail.as_slice()),
        };
        let found = self.find_again(tail.len())?;
        let now = facts_of(held)?;
        let judged = judged.unwrap_or(&now);
        if !judged.is_untouched(&now) || !judged.is_untouched(&facts_of(&found)?) {
            return Err(changed());
        }
        match tail.first() {
            Some(leaf) => still_missing(&found, leaf),
            None => Ok(()),
        }
    }

    /// Opens the canonical place again: in one call where the kernel can, else name by name, which also tells why not.
    fn find_again(&self, missing: usize) -> Result<OwnedFd, Error> {
        let place = self.place.as_bytes().split(|byte| *byte == b'/');
        let names: Vec<&[u8]> = place.filter(|name| !name.is_empty()).collect();
        let existing = names
            .len()
            .checked_sub(missing)
            .and_then(|count| names.get(..count));
        let existing = existing.ok_or_else(changed)?;
        if let Ok(object) = open_without_links(spell(existing).as_slice()) {
            if let Some(root) = self.root {
                let root_names = existing.get(..root.depth).ok_or_else(changed)?;
                let found = open_without_links(spell(root_names).as_slice()).map_err(gone)?;
                self.check_root(root.depth, &found)?;
            }
            return Ok(object);
        }
        let mut object = open_slash().map_err(Error::os)?;
        self.check_root(0, &object)?;
        for (depth, name) in existing.iter().enumerate() {
            object = open_name_unchecked(&object, name).map_err(gone)?;
            self.check_root(depth + 1, &object)?;
        }
        Ok(object)
    }

    fn check_root(&self, depth: usize, object: &OwnedFd) -> Result<(), Error> {
        match self.root {
            Some(root) if root.depth == depth && facts_of(object)?.identity != root.identity => {
                Err(changed())
            }
            _ => Ok(()),
        }
    }
}

fn spell(names: &[&[u8]]) -> Vec<u8> {
    let mut place = vec![b'/'];
    place.extend_from_slice(&names.join(&b'/'));
    place
}

fn still_missing(parent: &OwnedFd, leaf: &Leaf) -> Result<(), Error> {
    match facts_at(parent, leaf) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(changed()),
    }
}

fn changed() -> Error {
    Error::new(ErrorKind::Changed)
}

fn gone(errno: Errno) -> Error {
    Error::os(errno).turned(ErrorKind::Changed)
}
