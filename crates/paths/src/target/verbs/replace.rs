use std::os::fd::AsFd;

use rustix::fs::Mode;

use super::check::{self, Existing};
use super::temporary::Temporary;
use super::{ownership, sync, tail};
use crate::{Error, FileKind, Held, Operation, Target};

impl Target {
    /// Replaces or creates the file atomically: a temporary name in the same parent, fsync, rename there.
    /// Missing parents are made level by level, and stay when a later step fails.
    ///
    /// An existing file keeps its mode (without the set-user-id and set-group-id bits, as any write would take
    /// them), its access control list and, where the process may, its owner and group; where it may not, the
    /// group gets no more than others have. Other names of the same file keep the old content.
    ///
    /// # Errors
    /// `Changed` when the place no longer holds what was judged; `WrongType`, `Special`, `Denied`,
    /// `WrongOperation`, `Io`. An `Io` error can come after the rename, when the parent cannot be synced.
    pub fn replace(self, content: &[u8]) -> Result<(), Error> {
        self.may_change(&[Operation::Write])?;
        match &self.held {
            Held::Missing { parent, tail } => {
                let (parent, leaf) = tail::make_parents(parent, tail)?;
                let open_to_all = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
                let mut new = Temporary::create(parent.as_fd(), open_to_all)?;
                new.fill(content)?;
                new.publish(leaf)?;
                sync::directory(&parent)
            }
            _ => replace_existing(self.existing(FileKind::File)?, content),
        }
    }
}

fn replace_existing(old: Existing<'_>, content: &[u8]) -> Result<(), Error> {
    let name = check::named(old.name)?;
    check::name_stands(name, old.facts)?;
    // Nobody else reads the new content before it has the old file's rights.
    let mut new = Temporary::create(name.parent.as_fd(), Mode::RUSR | Mode::WUSR)?;
    ownership::carry_over(old.object, new.file())?;
    new.fill(content)?;
    new.replace(&name.leaf, || check::name_stands(name, old.facts))?;
    sync::directory(&name.parent)
}
