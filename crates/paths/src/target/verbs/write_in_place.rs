use std::io::Write;

use rustix::fs::OFlags;

use super::{check, open};
use crate::target::observe::facts_of;
use crate::{Error, ErrorKind, FileKind, Operation, Target};

impl Target {
    /// Writes into the existing file itself, keeping its identity and its other names. Not atomic: whoever reads
    /// meanwhile, and whoever comes after an error, finds a mixture.
    ///
    /// # Errors
    /// `NotFound`, `Changed`, `WrongType`, `Special`, `Denied`, `WrongOperation`, `Io`.
    pub fn write_in_place(self, content: &[u8]) -> Result<(), Error> {
        self.may_change(&[Operation::Write])?;
        let existing = self.existing(FileKind::File)?;
        let length = u64::try_from(content.len()).map_err(|_| Error::new(ErrorKind::Budget))?;
        let mut file = open::reopen(existing.object, OFlags::WRONLY)?;
        if let Some(name) = existing.name {
            check::name_stands(name, existing.facts)?;
        }
        check::unchanged(existing.facts, &facts_of(&file)?)?;
        file.write_all(content).map_err(Error::io)?;
        file.set_len(length).map_err(Error::io)?;
        file.sync_all().map_err(Error::io)
    }
}
