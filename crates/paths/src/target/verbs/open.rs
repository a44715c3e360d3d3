use std::fs::File;

use rustix::fs::OFlags;

use super::{check, raw};
use crate::target::observe::facts_of;
use crate::{Error, ErrorKind, FileKind, Operation, Target};

const READING: &[Operation] = &[
    Operation::Read,
    Operation::Search,
    Operation::CopyFrom,
    // An edit reads what it is about to replace; no zone denies reading without denying writing.
    Operation::Write,
];
const ENTERING: &[Operation] = &[
    Operation::List,
    Operation::Search,
    Operation::Read,
    Operation::CopyFrom,
    Operation::WorkingDir,
];

impl Target {
    /// Opens a regular file for reading, through the held descriptor.
    ///
    /// A file that was written to since it was judged is still the judged file; one that lost its last name is not.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Special`, `NotFound`, `Denied`, `WrongOperation`, `Io`.
    pub fn open(&self) -> Result<File, Error> {
        self.judged_for(READING)?;
        let existing = self.existing(FileKind::File)?;
        let file = reopen(existing.object, OFlags::RDONLY)?;
        let now = facts_of(&file)?;
        check::same_object(existing.facts, &now)?;
        if now.links == 0 {
            return Err(check::changed());
        }
        Ok(file)
    }

    /// Opens a directory as a capability.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Special`, `NotFound`, `Denied`, `WrongOperation`, `Io`.
    pub fn open_dir(&self) -> Result<cap_std::fs::Dir, Error> {
        self.judged_for(ENTERING)?;
        let existing = self.existing(FileKind::Dir)?;
        let dir = raw::reopen_dir_unchecked(existing.object).map_err(check::raced)?;
        check::dir_stands(&dir, existing.facts)?;
        Ok(cap_std::fs::Dir::from_std_file(File::from(dir)))
    }
}

/// The held file, opened for use. Nothing is missing here but the proc file system.
pub(super) fn reopen(object: impl std::os::fd::AsFd, access: OFlags) -> Result<File, Error> {
    raw::reopen_unchecked(object, access).map_err(|number| match number {
        rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR => Error::new(ErrorKind::Unsupported),
        other => check::raced(other),
    })
}
