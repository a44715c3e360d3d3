use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::FileType;

use super::{check, raw};
use crate::target::each_name;
use crate::target::observe::facts_at;
use crate::{Error, ErrorKind, Facts, FileKind, Leaf, Operation, State, Target};

/// Names of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The entries, sorted by the bytes of their names.
    pub entries: Vec<ListingEntry>,
    /// There were more than the limit.
    pub truncated: bool,
}

/// One name of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingEntry {
    /// The name.
    pub name: Leaf,
    /// What it is, a link itself not followed.
    pub state: State,
}

/// The names of a directory, in no order, with what the listing alone says of them.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) entries: Vec<NameEntry>,
    /// There were more; these are the first of them in the order of their bytes.
    pub(crate) is_cut: bool,
}

/// One of them.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NameEntry {
    pub(crate) name: Leaf,
    /// It is a directory or a link.
    pub(crate) leads_on: bool,
}

impl Target {
    /// The names directly in a directory, `most` at most, and nothing of them is looked at that the listing says.
    ///
    /// # Errors
    /// As [`Target::list`].
    pub(crate) fn names(&self, most: usize) -> Result<Names, Error> {
        let dir = self.listed()?;
        let mut entries = Vec::new();
        let mut is_cut = false;
        let cut = |entries: &mut Vec<NameEntry>| {
            if entries.len() > most {
                entries.select_nth_unstable(most);
                entries.truncate(most);
            }
        };
        let listed = each_name(&dir, |name, kind| {
            if let Some(name) = Leaf::from_bytes(name) {
                let leads_on = match kind {
                    FileType::Directory | FileType::Symlink => true,
                    // File systems that do not say it in the listing.
                    FileType::Unknown => {
                        facts_at(&dir, &name).is_ok_and(|facts| facts.is_link || facts.kind == FileKind::Dir)
                    }
                    _ => false,
                };
                entries.push(NameEntry { name, leads_on });
            }
            is_cut |= entries.len() > most;
            if entries.len() > most.saturating_mul(2) {
                cut(&mut entries);
            }
            ControlFlow::<()>::Continue(())
        });
        let _whole = listed.map_err(check::raced)?;
        cut(&mut entries);
        Ok(Names { entries, is_cut })
    }

    /// Lists a directory's direct names, sorted: the first `limit` of them in that order, so that the answer does
    /// not depend on how the directory is stored. Memory is bounded by the limit, not by the directory.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Special`, `NotFound`, `Denied`, `WrongOperation`, `Io`.
    pub fn list(&self, limit: usize) -> Result<Listing, Error> {
        let dir = self.listed()?;
        let (names, truncated) = first_names(&dir, limit)?;
        let mut entries = Vec::with_capacity(names.len());
        for name in names {
            match facts_at(&dir, &name) {
                Ok(facts) => entries.push(ListingEntry {
                    state: state(&facts),
                    name,
                }),
                // RACE: a name may go between being read and being looked at; then it is not there.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Listing { entries, truncated })
    }

    /// The directory, opened to be listed.
    fn listed(&self) -> Result<OwnedFd, Error> {
        self.judged_for(&[
            Operation::List,
            Operation::Search,
            Operation::Read,
            Operation::CopyFrom,
        ])?;
        let existing = self.existing(FileKind::Dir)?;
        let dir = raw::reopen_dir_unchecked(existing.object).map_err(check::raced)?;
        check::dir_stands(&dir, existing.facts)?;
        Ok(dir)
    }
}

/// The smallest names, sorted, and whether there are more.
fn first_names(dir: impl AsFd, limit: usize) -> Result<(Vec<Leaf>, bool), Error> {
    let mut kept = BinaryHeap::new();
    let mut truncated = false;
    let listed = each_name(dir, |name, _| {
        kept.extend(Leaf::from_bytes(name));
        if kept.len() > limit {
            kept.pop();
            truncated = true;
        }
        ControlFlow::<()>::Continue(())
    });
    let _whole = listed.map_err(check::raced)?;
    Ok((kept.into_sorted_vec(), truncated))
}

fn state(facts: &Facts) -> State {
    if facts.is_link {
        State::Link
    } else {
        State::Existing(facts.kind)
    }
}
