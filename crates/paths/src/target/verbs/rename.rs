use std::os::fd::AsFd;

use rustix::io::Errno;

use super::{check, raw, sync};
use crate::target::observe::facts_of;
use crate::{Error, ErrorKind, Facts, FileKind, Held, Leaf, Name, Operation, Target};

impl Target {
    /// Renames to the new name, which must not exist (`RENAME_NOREPLACE`) and whose parent must.
    ///
    /// # Errors
    /// `Exists`, `NotFound`, `Changed`, `Mount` across file systems and for a mount point, `WrongType` for a
    /// directory moved into itself, `Denied`, `WrongOperation`, `Io`; `Unsupported` for `/`, and where the file
    /// system cannot rename a directory without replacing.
    pub fn rename_to(self, to: Self) -> Result<(), Error> {
        self.may_change(&[Operation::MoveFrom])?;
        to.may_change(&[Operation::MoveTo])?;
        let (from, facts) = self.to_remove()?;
        let (parent, leaf) = to.to_take()?;
        check::parent_stands(parent)?;
        check::name_stands(from, facts)?;
        move_one(from, facts, parent, leaf)?;
        sync::directory(parent)?;
        sync::directory(&from.parent)
    }

    /// The free name: one below an existing directory.
    fn to_take(&self) -> Result<(&std::os::fd::OwnedFd, &Leaf), Error> {
        match &self.held {
            Held::Missing { parent, tail } => match tail.as_slice() {
                [leaf] => Ok((parent, leaf)),
                _ => Err(Error::new(ErrorKind::NotFound)),
            },
            Held::Existing { .. } | Held::Link { .. } => Err(Error::new(ErrorKind::Exists)),
        }
    }
}

fn move_one(from: &Name, facts: &Facts, parent: impl AsFd, leaf: &Leaf) -> Result<(), Error> {
    let (old, new) = (from.leaf.as_bytes(), leaf.as_bytes());
    // RACE: one system call wide; what was moved is looked at afterwards.
    match raw::rename_new_unchecked(&from.parent, old, &parent, new) {
        Ok(()) => {}
        Err(Errno::EXIST) => return Err(Error::new(ErrorKind::Exists)),
        Err(Errno::INVAL) if facts.kind == FileKind::Dir => return Err(why_invalid(facts, parent)?),
        Err(Errno::INVAL) => return move_by_link(from, facts, parent, leaf),
        Err(number) => return Err(check::raced(number)),
    }
    if check::present(&parent, leaf)?.identity == facts.identity {
        return Ok(());
    }
    // Somebody exchanged the name in the one call: what was not judged goes back, unless the place is taken.
    let _returned = raw::rename_new_unchecked(&parent, new, &from.parent, old);
    Err(check::changed())
}

/// For a file system that cannot rename without replacing: a second name is as exclusive.
fn move_by_link(from: &Name, facts: &Facts, parent: impl AsFd, leaf: &Leaf) -> Result<(), Error> {
    raw::link_unchecked(&from.parent, from.leaf.as_bytes(), &parent, leaf.as_bytes()).map_err(|number| {
        match number {
            Errno::EXIST => Error::new(ErrorKind::Exists),
            other => check::raced(other),
        }
    })?;
    check::same_object(facts, &check::present(&parent, leaf)?)?;
    check::same_object(facts, &check::present(&from.parent, &from.leaf)?)?;
    raw::unlink_unchecked(&from.parent, from.leaf.as_bytes()).map_err(check::raced)
}

/// The kernel says "invalid" both for a directory moved into itself and for a flag it does not know.
fn why_invalid(moved: &Facts, parent: impl AsFd) -> Result<Error, Error> {
    let mut dir = raw::reopen_dir_unchecked(parent).map_err(Error::os)?;
    loop {
        let here = facts_of(&dir)?;
        if here.identity == moved.identity {
            return Ok(Error::new(ErrorKind::WrongType));
        }
        let above = raw::open_above_unchecked(&dir).map_err(Error::os)?;
        if facts_of(&above)?.identity == here.identity {
            return Ok(Error::new(ErrorKind::Unsupported));
        }
        dir = above;
    }
}
