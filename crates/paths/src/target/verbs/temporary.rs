//! A file under a hidden, unguessable name, to be renamed into its place or to vanish.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::rand::GetRandomFlags;

use super::{check, raw};
use crate::target::observe::{facts_at, facts_of};
use crate::{Error, ErrorKind, Leaf};

/// Names are 128 bits of chance: a second one is only ever needed when somebody answers by making the first.
const TRIES: usize = 8;

pub(super) struct Temporary<'a> {
    parent: BorrowedFd<'a>,
    leaf: Leaf,
    file: File,
    renamed: bool,
}

impl<'a> Temporary<'a> {
    /// Creates the empty file. Its mode is lessened by the process's mask.
    pub(super) fn create(parent: BorrowedFd<'a>, mode: Mode) -> Result<Self, Error> {
        for _ in 0..TRIES {
            let leaf = unguessable()?;
            match raw::create_unchecked(parent, leaf.as_bytes(), mode) {
                Ok(file) => {
                    return Ok(Self {
                        parent,
                        leaf,
                        file,
                        renamed: false,
                    });
                }
                Err(Errno::EXIST) => {}
                Err(number) => return Err(check::raced(number)),
            }
        }
        Err(check::changed())
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Writes the whole content and makes it durable.
    pub(super) fn fill(&mut self, content: &[u8]) -> Result<(), Error> {
        self.file.write_all(content).map_err(Error::io)?;
        self.file.sync_all().map_err(Error::io)
    }

    /// Renames over an existing name, after `still` has found that name unchanged.
    pub(super) fn replace(
        mut self,
        leaf: &Leaf,
        still: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.check_own_name()?;
        still()?;
        // RACE: one system call wide. Who may write in this directory can exchange the name here, and then loses
        // what he put there; nothing outside the directory is touched.
        raw::rename_over_unchecked(self.parent, self.leaf.as_bytes(), leaf.as_bytes())
            .map_err(check::raced)?;
        self.arrived(leaf)
    }

    /// Renames to a name that was judged missing.
    pub(super) fn publish(mut self, leaf: &Leaf) -> Result<(), Error> {
        self.check_own_name()?;
        let (from, to) = (self.leaf.as_bytes(), leaf.as_bytes());
        match raw::rename_new_unchecked(self.parent, from, self.parent, to) {
            Ok(()) => self.arrived(leaf),
            Err(Errno::EXIST) => Err(check::changed()),
            // A file system without that flag: a second name is as exclusive, and the first one is dropped.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                raw::link_unchecked(self.parent, from, self.parent, to).map_err(|number| match number {
                    Errno::EXIST => check::changed(),
                    other => check::raced(other),
                })
            }
            Err(number) => Err(check::raced(number)),
        }
    }

    fn arrived(&mut self, leaf: &Leaf) -> Result<(), Error> {
        self.renamed = true;
        if check::present(self.parent, leaf)?.identity == facts_of(&self.file)?.identity {
            Ok(())
        } else {
            Err(check::changed())
        }
    }

    fn check_own_name(&self) -> Result<(), Error> {
        if self.has_own_name()? {
            Ok(())
        } else {
            Err(check::changed())
        }
    }

    fn has_own_name(&self) -> Result<bool, Error> {
        match facts_at(self.parent, &self.leaf) {
            Ok(facts) => Ok(facts.identity == facts_of(self.file.as_fd())?.identity),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.renamed && self.has_own_name().unwrap_or(false) {
            // Nothing is left to be told: the caller already has the error that led here.
            let _gone = raw::unlink_unchecked(self.parent, self.leaf.as_bytes());
        }
    }
}

fn unguessable() -> Result<Leaf, Error> {
    let mut chance = [0_u8; 16];
    let filled = rustix::rand::getrandom(&mut chance, GetRandomFlags::empty()).map_err(Error::os)?;
    if filled != chance.len() {
        return Err(Error::new(ErrorKind::Io));
    }
    let mut name = String::from(".portcullis-");
    for byte in chance {
        write!(name, "{byte:02x}").map_err(|_| Error::new(ErrorKind::Io))?;
    }
    Leaf::from_bytes(name.as_bytes()).ok_or_else(|| Error::new(ErrorKind::Io))
}
