//! A root that is one file: the directory that has it, held, and the exact name there (R3, R4, R6).
//!
//! A file is replaced by every editor that saves it, so its own identity says little; the directory's and the name say
//! which file is meant, also before there is one. Allowing is exact: what has this name has to be a plain file that
//! nobody put there under another name as well.

use super::{FileRoot, Root};
use crate::resolver::Walked;
use crate::target::RootMark;
use crate::{Error, FileKind, Leaf, Operation};

impl FileRoot {
    /// The directory is still what its name leads to (R6).
    pub(super) fn check(&self) -> Result<(), Error> {
        self.dir.check()
    }

    /// The directory.
    pub(crate) fn dir(&self) -> &Root {
        &self.dir
    }

    /// The name that it has there.
    pub(crate) fn leaf(&self) -> &Leaf {
        &self.leaf
    }

    /// What was reached is this file, and the operation is about the file alone: names belong to their directory.
    pub(crate) fn is(&self, operation: Operation, walked: &Walked) -> Option<RootMark> {
        if operation.acts_on_name() || operation == Operation::MakeDir || walked.must_be_dir {
            return None;
        }
        let dir = match (walked.chain.as_slice(), walked.tail.as_slice()) {
            ([.., dir, file], []) => {
                let facts = &file.facts;
                let plain = facts.kind == FileKind::File && facts.mount == dir.facts.mount;
                // A second name may have been made for anything that somebody wants to have read or written.
                let alone = facts.links < 2 || Some(facts.identity) == self.first;
                (plain && alone && *file.name == *self.leaf.as_bytes()).then_some(dir)
            }
            ([.., dir], [leaf]) if *leaf == self.leaf => Some(dir),
            _ => None,
        }?;
        let known = dir.facts.identity == self.dir.facts.identity && dir.facts.mount == self.dir.facts.mount;
        known.then(|| RootMark {
            depth: walked.chain.len() - if walked.tail.is_empty() { 2 } else { 1 },
            identity: dir.facts.identity,
        })
    }
}
