use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::os::fd::AsFd;

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

impl Target {
    /// Lists a directory's direct names, sorted: the first `limit` of them in that order, so that the answer does
    /// not depend on how the directory is stored. Memory is bounded by the limit, not by the directory.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Special`, `NotFound`, `Denied`, `WrongOperation`, `Io`.
    pub fn list(&self, limit: usize) -> Result<Listing, Error> {
        self.judged_for(&[
            Operation::List,
            Operation::Search,
            Operation::Read,
            Operation::CopyFrom,
        ])?;
        let existing = self.existing(FileKind::Dir)?;
        let dir = raw::reopen_dir_unchecked(existing.object).map_err(check::raced)?;
        check::dir_stands(&dir, existing.facts)?;
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
