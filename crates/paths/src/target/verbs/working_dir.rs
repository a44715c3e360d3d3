use std::os::fd::{AsFd as _, BorrowedFd};

use super::check;
use crate::{Error, FileKind, Operation, Target};

impl Target {
    /// The held directory, for a child process that is to start in it: what was judged, whatever its name leads to by
    /// then. It cannot be read from; it can be changed to.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Special`, `WrongOperation`, `Io`.
    pub fn working_dir(&self) -> Result<BorrowedFd<'_>, Error> {
        self.may_change(&[Operation::WorkingDir])?;
        let existing = self.existing(FileKind::Dir)?;
        check::dir_stands(existing.object, existing.facts)?;
        Ok(existing.object.as_fd())
    }
}
