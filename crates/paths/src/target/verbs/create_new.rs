use std::fs::File;
use std::io::Write;
use std::os::fd::BorrowedFd;

use rustix::fs::Mode;
use rustix::io::Errno;

use super::{check, raw, sync, tail};
use crate::target::observe::{facts_at, facts_of};
use crate::{Error, ErrorKind, Held, Leaf, Operation, Target};

impl Target {
    /// Creates a file that must not exist. Missing parents are made level by level, and stay when a later step
    /// fails; the file does not.
    ///
    /// # Errors
    /// `Exists`, `Changed` when a missing parent has come into being, `Denied`, `WrongOperation`, `Io`.
    pub fn create_new(self, content: &[u8]) -> Result<(), Error> {
        self.may_change(&[Operation::CreateNew, Operation::Write])?;
        let Held::Missing { parent, tail } = &self.held else {
            return Err(Error::new(ErrorKind::Exists));
        };
        let (parent, leaf) = tail::make_parents(parent, tail)?;
        let parent = std::os::fd::AsFd::as_fd(&parent);
        let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
        let file = raw::create_unchecked(parent, leaf.as_bytes(), mode).map_err(|number| match number {
            Errno::EXIST => Error::new(ErrorKind::Exists),
            other => check::raced(other),
        })?;
        if let Err(error) = fill(&file, content) {
            withdraw(parent, leaf, &file);
            return Err(error);
        }
        sync::directory(parent)
    }
}

fn fill(mut file: &File, content: &[u8]) -> Result<(), Error> {
    file.write_all(content).map_err(Error::io)?;
    file.sync_all().map_err(Error::io)
}

/// Removes the name again while it is still ours.
fn withdraw(parent: BorrowedFd<'_>, leaf: &Leaf, file: &File) {
    let ours = facts_at(parent, leaf)
        .is_ok_and(|there| facts_of(file).is_ok_and(|own| own.identity == there.identity));
    if ours {
        // Nothing is left to be told: the caller gets the error that led here.
        let _gone = raw::unlink_unchecked(parent, leaf.as_bytes());
    }
}
