/// What is to be done at the end of a path. It decides whether a trailing link is followed and whether the
/// last name may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Operation {
    /// Read a file's content.
    Read,
    /// List a directory's names.
    List,
    /// Read everything below a directory (recursive search).
    Search,
    /// Read metadata, following a trailing link.
    Stat,
    /// Read metadata of the name itself.
    Lstat,
    /// Read a link's text.
    ReadLink,
    /// Use as the working directory of a command.
    WorkingDir,
    /// Read as the source of a copy.
    CopyFrom,
    /// Write a file's content, creating it when it is missing.
    Write,
    /// Create a file that must not exist (a trailing link is an error).
    CreateNew,
    /// Create a directory and its missing parents.
    MakeDir,
    /// Change mode, owner or times.
    SetMeta,
    /// Remove one name: a file, a link itself, an empty directory.
    Delete,
    /// Remove a name and everything below it.
    DeleteTree,
    /// The old name of a rename.
    MoveFrom,
    /// The new name of a rename.
    MoveTo,
    /// The new name of a symbolic or hard link.
    LinkTo,
    /// The existing name that a hard link is made to.
    HardLinkFrom,
}

impl Operation {
    /// Every operation, for tables and tests.
    pub const ALL: [Self; 18] = [
        Self::Read,
        Self::List,
        Self::Search,
        Self::Stat,
        Self::Lstat,
        Self::ReadLink,
        Self::WorkingDir,
        Self::CopyFrom,
        Self::Write,
        Self::CreateNew,
        Self::MakeDir,
        Self::SetMeta,
        Self::Delete,
        Self::DeleteTree,
        Self::MoveFrom,
        Self::MoveTo,
        Self::LinkTo,
        Self::HardLinkFrom,
    ];
}

/// What an operation does with a name that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingLeaf {
    /// Refused.
    Refuse,
    /// Made below the nearest existing directory.
    Make,
    /// Made, but only in a directory that exists.
    MakeInParent,
}

/// The table of R11.
impl Operation {
    /// A trailing link stands for what it leads to.
    pub(crate) fn follows(self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::List
                | Self::Search
                | Self::Stat
                | Self::WorkingDir
                | Self::CopyFrom
                | Self::Write
                | Self::MakeDir
                | Self::SetMeta
        )
    }

    pub(crate) fn missing_leaf(self) -> MissingLeaf {
        match self {
            Self::Write | Self::CreateNew | Self::MakeDir | Self::SetMeta => MissingLeaf::Make,
            Self::MoveTo | Self::LinkTo => MissingLeaf::MakeInParent,
            _ => MissingLeaf::Refuse,
        }
    }

    /// Takes away or replaces everything below the name, or says what will be there: a link brings what it leads to.
    pub(crate) fn takes_subtree(self) -> bool {
        matches!(
            self,
            Self::Delete | Self::DeleteTree | Self::MoveFrom | Self::MoveTo | Self::LinkTo
        )
    }

    /// Reads everything below.
    pub(crate) fn reads_subtree(self) -> bool {
        matches!(self, Self::Search | Self::CopyFrom | Self::MoveFrom)
    }

    /// Needs the right to write what is at the place; a hard link will give it (R14).
    pub(crate) fn writes(self) -> bool {
        matches!(
            self,
            Self::Write
                | Self::CreateNew
                | Self::MakeDir
                | Self::SetMeta
                | Self::Delete
                | Self::DeleteTree
                | Self::MoveFrom
                | Self::MoveTo
                | Self::LinkTo
                | Self::HardLinkFrom
        )
    }

    /// Needs the right to read what is at the place; a hard link or a new name elsewhere will give it (R14).
    pub(crate) fn reads(self) -> bool {
        !self.writes() || matches!(self, Self::MoveFrom | Self::HardLinkFrom)
    }

    /// Acts on a name in its parent directory: the target holds both.
    pub(crate) fn needs_name(self) -> bool {
        matches!(self, Self::Write | Self::CreateNew | Self::MakeDir) || self.acts_on_name()
    }

    /// Changes which names the parent directory has, whatever the object is; then the parent's standing counts.
    pub(crate) fn acts_on_name(self) -> bool {
        matches!(
            self,
            Self::Delete
                | Self::DeleteTree
                | Self::MoveFrom
                | Self::MoveTo
                | Self::LinkTo
                | Self::HardLinkFrom
        )
    }

    /// Opens the object, so that a FIFO would block and a device would act (R12).
    pub(crate) fn opens(self) -> bool {
        self.follows() || matches!(self, Self::CreateNew | Self::HardLinkFrom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variant that is not in the list, or stands elsewhere in it, breaks this or the build.
    #[test]
    fn the_list_is_whole() {
        for (index, operation) in Operation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, index, "{operation:?}");
        }
        assert_eq!(Operation::HardLinkFrom as usize + 1, Operation::ALL.len());
    }

    #[test]
    fn every_operation_reads_or_writes() {
        for operation in Operation::ALL {
            assert!(operation.reads() || operation.writes(), "{operation:?}");
            assert!(
                !operation.takes_subtree() || operation.acts_on_name(),
                "{operation:?}"
            );
            assert!(!operation.acts_on_name() || !operation.follows(), "{operation:?}");
            let makes = operation.missing_leaf() != MissingLeaf::Refuse;
            assert!(!makes || operation.writes(), "{operation:?}");
        }
    }
}
