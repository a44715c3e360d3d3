use std::path::{Path, PathBuf};

use super::format::{self, Map};
use crate::disk::{self, Identity};
use crate::{Error, ErrorKind};

/// The decisions that a store held when it was read.
#[derive(Debug)]
pub struct Saved {
    decisions: Vec<Decided>,
}

#[derive(Debug)]
struct Decided {
    directory: PathBuf,
    /// Of what the directory's name leads to now.
    identity: Option<Identity>,
    is_trusted: bool,
}

/// The saved decision that is about a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// The directory or the one above it that the decision was saved for.
    pub at: PathBuf,
    /// What was decided.
    pub is_trusted: bool,
}

impl Saved {
    pub(super) fn new(map: Map<bool>) -> Self {
        let decisions = map.into_iter().filter_map(|(name, value)| {
            let directory = PathBuf::from(name);
            // Only what is absolute names a directory.
            let is_trusted = value.filter(|_| directory.is_absolute())?;
            Some(Decided {
                identity: disk::identity(&directory),
                directory,
                is_trusted,
            })
        });
        Self {
            decisions: decisions.collect(),
        }
    }

    /// Reads decisions from the bytes of a store, wherever they come from.
    ///
    /// # Errors
    /// Not one JSON object of directories and true, false or null, in which no directory stands twice.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        format::parse(bytes)
            .map(Self::new)
            .map_err(|what| Error::without_place(ErrorKind::Content, what))
    }

    /// Every directory with a decision, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, bool)> {
        self.decisions
            .iter()
            .map(|decided| (decided.directory.as_path(), decided.is_trusted))
    }

    /// The decision for a canonical directory or the nearest above it. A saved name counts for the directory that it
    /// leads to, so that one spelled through a link still matches; where two names lead to one directory, a no wins.
    #[must_use]
    pub fn nearest(&self, directory: &Path) -> Option<Nearest> {
        directory.ancestors().find_map(|at| {
            let identity = disk::identity(at);
            let about = self.decisions.iter().filter(|decided| {
                decided.directory == at || (identity.is_some() && decided.identity == identity)
            });
            about
                .map(|decided| decided.is_trusted)
                .reduce(|one, other| one && other)
                .map(|is_trusted| Nearest {
                    at: at.to_path_buf(),
                    is_trusted,
                })
        })
    }
}
