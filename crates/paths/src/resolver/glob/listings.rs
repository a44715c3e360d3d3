//! What is remembered of the patterns of one decision, and how much may be looked at for all of them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::target::Names;
use crate::{Error, Target};

/// Names of one directory that are kept.
pub(super) const MOST_NAMES: usize = 16_384;
/// Names that are looked at for all patterns of one decision.
const MOST: usize = 16 * MOST_NAMES;
/// To how many names it comes to look at what is behind one.
pub(super) const LOOK: usize = 16;

/// The directories that were listed for one decision: none is listed twice, and what is looked at for all its patterns
/// has one bound. It is counted, so that the same tree gives the same answer.
///
/// What it has is as old as the decision: it is made for one, and goes with it.
#[derive(Debug)]
pub struct Listings {
    known: RefCell<BTreeMap<(u64, u64), Rc<Names>>>,
    left: Cell<usize>,
}

impl Default for Listings {
    fn default() -> Self {
        Self {
            known: RefCell::default(),
            left: Cell::new(MOST),
        }
    }
}

impl Listings {
    /// The names directly in a directory that are wanted, sorted; nothing else is looked at. `None`: it has more than
    /// `most` names, or what may be looked at for this decision was looked at.
    ///
    /// # Errors
    /// As [`Target::list`].
    pub fn names(
        &self,
        directory: &Target,
        most: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<Vec<String>>, Error> {
        let all = self.of(directory)?;
        if all.is_cut || all.entries.len() > most || !self.take(all.entries.len()) {
            return Ok(None);
        }
        let names = all.entries.iter().filter_map(|entry| {
            let name = std::str::from_utf8(entry.name.as_bytes());
            name.map(|name| wanted(name).then(|| name.to_owned())).transpose()
        });
        let names: Result<Vec<String>, _> = names.collect();
        Ok(names.ok().map(|mut names| {
            names.sort_unstable();
            names
        }))
    }

    pub(super) fn of(&self, directory: &Target) -> Result<Rc<Names>, Error> {
        let key = directory.identity().map(|one| (one.device, one.inode));
        let known = key.and_then(|key| self.known.borrow().get(&key).cloned());
        if let Some(known) = known {
            return Ok(known);
        }
        let names = Rc::new(directory.names(MOST_NAMES)?);
        if let Some(key) = key {
            self.known.borrow_mut().insert(key, Rc::clone(&names));
        }
        Ok(names)
    }

    /// Whether so many more may be looked at.
    pub(super) fn take(&self, names: usize) -> bool {
        let left = self.left.get().checked_sub(names);
        self.left.set(left.unwrap_or_default());
        left.is_some()
    }
}
