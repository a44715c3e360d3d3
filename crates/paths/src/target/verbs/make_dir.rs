use super::{check, tail};
use crate::{Error, ErrorKind, FileKind, Held, Operation, Target};

impl Target {
    /// Makes the directory and its missing parents, level by level; they stay when a later level fails. A
    /// directory that is there already is fine.
    ///
    /// # Errors
    /// `Exists` when something that is not a directory is there, `Changed`, `Denied`, `WrongOperation`, `Io`.
    pub fn make_dir(self) -> Result<(), Error> {
        self.may_change(&[Operation::MakeDir])?;
        match &self.held {
            Held::Existing { object, facts, .. } if facts.kind == FileKind::Dir => {
                check::dir_stands(object, facts)
            }
            Held::Existing { .. } | Held::Link { .. } => Err(Error::new(ErrorKind::Exists)),
            Held::Missing { parent, tail } => {
                let (parent, leaf) = tail::make_parents(parent, tail)?;
                tail::make_one(&parent, leaf).map(drop)
            }
        }
    }
}
