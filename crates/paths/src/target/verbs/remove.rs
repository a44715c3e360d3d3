use super::{check, raw};
use crate::target::observe::facts_of;
use crate::{Error, ErrorKind, Facts, FileKind, Held, Name, Operation, Target};

impl Target {
    /// Removes the name: a file, a link itself, an empty directory.
    ///
    /// # Errors
    /// `NotFound`, `NotEmpty`, `Changed`, `Mount` for a mount point, `Denied`, `WrongOperation`, `Io`;
    /// `Unsupported` for `/`.
    pub fn remove(self) -> Result<(), Error> {
        self.may_change(&[Operation::Delete, Operation::DeleteTree])?;
        let (name, facts) = self.to_remove()?;
        remove_one(name, facts)
    }

    /// What stands at the name, a link itself included.
    pub(super) fn to_remove(&self) -> Result<(&Name, &Facts), Error> {
        let (name, facts) = match &self.held {
            Held::Existing { facts, name, .. } => (check::named(name.as_ref())?, facts),
            Held::Link { facts, name, .. } => (name, facts),
            Held::Missing { .. } => return Err(Error::new(ErrorKind::NotFound)),
        };
        if facts.mount == facts_of(&name.parent)?.mount {
            Ok((name, facts))
        } else {
            Err(Error::new(ErrorKind::Mount))
        }
    }
}

pub(super) fn remove_one(name: &Name, facts: &Facts) -> Result<(), Error> {
    check::name_stands(name, facts)?;
    // RACE: one system call wide. Who may write in this directory can exchange the name here, and then loses what
    // he put there, if it is of the same type; nothing outside the directory is touched.
    let removed = match facts.kind {
        FileKind::Dir => raw::remove_dir_unchecked(&name.parent, name.leaf.as_bytes()),
        FileKind::File | FileKind::Special => raw::unlink_unchecked(&name.parent, name.leaf.as_bytes()),
    };
    removed.map_err(check::raced)
}
