//! A log's file, key and head, held open together; the caller holds the lock wherever something is written.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::chain::Link;
use crate::digest::DigestKey;
use crate::disk::Home;
use crate::head::{self, Found, Head};
use crate::lock::Held;
use crate::tail::{Ending, Tail};
use crate::{Error, ErrorKind, key, parts, torn};

/// Everything of a log that is on the disk.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) home: Home,
    pub(crate) file: Arc<File>,
    pub(crate) key: DigestKey,
    head: File,
    /// The sequence number that the file begins with.
    first: u64,
    wait: Duration,
    /// The end of the chain as last seen.
    pub(crate) tail: Tail,
    /// Every torn end that was cut off, in order.
    pub(crate) torn: Vec<PathBuf>,
}

impl Place {
    /// Opens or creates a log, and everything beside it.
    pub(crate) fn open(home: Home, wait: Duration) -> Result<Self, Error> {
        let (file, held) = lock_current(&home, wait)?;
        let mut torn = Vec::new();
        let (first, tail, size) = find_end(&home, &file)?;
        let (key, head) = beside(&home, &file, size, first, tail)?;
        // Only now: an end that the head knows better is not a write that a crash cut short.
        if size > tail.length {
            torn.push(torn::set_aside(&home, &file, tail, size)?);
        }
        drop(held);
        Ok(Self {
            home,
            file,
            key,
            head,
            first,
            wait,
            tail,
            torn,
        })
    }

    /// Takes the lock and comes to the chain's end: checks what others have appended, and repairs a torn end.
    pub(crate) fn arrive(&mut self) -> Result<Held, Error> {
        let held = Held::take(&self.file, self.home.path(), self.wait)?;
        if self.home.is_elsewhere(&self.file)? && self.has_moved() {
            drop(held);
            return self.follow_on();
        }
        settle_names(&self.home, &self.file, self.first)?;
        let size = self.home.check(&self.file)?;
        if self.tail.length == size {
            return Ok(held);
        }
        if self.tail.length > size {
            return Err(Error::new(
                ErrorKind::Broken,
                self.home.path(),
                "became shorter than its own records",
            ));
        }
        let was_empty = self.tail.length == 0;
        self.tail = self.end(self.tail.follow(&self.file, size), size)?;
        if was_empty {
            self.first = begin(&self.home, &self.file, self.tail)?;
        }
        Ok(held)
    }

    /// Another process has gone over to a new file.
    fn follow_on(&mut self) -> Result<Held, Error> {
        let (file, held) = lock_current(&self.home, self.wait)?;
        let (first, tail, size) = find_end(&self.home, &file)?;
        let (_, head) = beside(&self.home, &file, size, first, tail)?;
        if tail.link.sequence <= self.tail.link.sequence {
            return Err(Error::place(self.home.path(), "was replaced by another file"));
        }
        (self.file, self.head, self.first, self.tail) = (file, head, first, tail);
        if size > tail.length {
            let aside = torn::set_aside(&self.home, &self.file, tail, size)?;
            self.torn.push(aside);
        }
        Ok(held)
    }

    fn end(&mut self, ending: io::Result<Ending>, size: u64) -> Result<Tail, Error> {
        let (tail, is_torn) = ended(&self.home, ending)?;
        if is_torn {
            let aside = torn::set_aside(&self.home, &self.file, tail, size)?;
            self.torn.push(aside);
        }
        Ok(tail)
    }

    /// Whether our file is an earlier part now.
    fn has_moved(&self) -> bool {
        self.home
            .directory_beside(parts::SUFFIX, false)
            .is_ok_and(|parts| self.home.is_named(&parts, &parts::name(self.first), &self.file))
    }

    /// Notes in the head how far the log has come. A head that cannot be written lags behind: no harm, and no reason
    /// to take back a record that is durable.
    pub(crate) fn note_head(&self) {
        let _lagging = self.put_head();
    }

    fn put_head(&self) -> io::Result<()> {
        let head = Head {
            first: self.first,
            length: self.tail.length,
            link: self.tail.link,
        };
        head::put(&self.head, &head, &self.key)
    }

    /// The same, durably.
    pub(crate) fn sync_head(&self) -> io::Result<()> {
        self.put_head()?;
        self.head.sync_data()
    }

    /// The log goes on in this file, which begins with the one record that ends at `tail`.
    pub(crate) fn go_over(&mut self, file: Arc<File>, tail: Tail) {
        self.file = file;
        self.first = tail.link.sequence;
        self.tail = tail;
    }

    /// The name that the present file gets when it becomes an earlier part.
    pub(crate) fn part_name(&self) -> OsString {
        parts::name(self.first)
    }

    /// The directory of earlier parts.
    pub(crate) fn parts(&self) -> io::Result<OwnedFd> {
        self.home.directory_beside(parts::SUFFIX, true)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // A head that was not synced may lag behind after a power cut: no harm.
        let _lagging = self.head.sync_data();
    }
}

/// Opens the file that the log's name means now, and locks it.
fn lock_current(home: &Home, wait: Duration) -> Result<(Arc<File>, Held), Error> {
    loop {
        let file = Arc::new(home.open_log()?);
        // The place first: nothing is locked, read or created on behalf of a file that is not ours.
        home.may_hold(&file)?;
        let held = Held::take(&file, home.path(), wait)?;
        // RACE: between opening and locking, another process may have gone over to a new file.
        if !home.is_elsewhere(&file)? {
            return Ok((file, held));
        }
    }
}

/// Where the chain of a file ends of which nothing is known yet, the first sequence number of the file, and its size.
fn find_end(home: &Home, file: &File) -> Result<(u64, Tail, u64), Error> {
    let unreadable = |error| Error::io(home.path(), "cannot be read", error);
    if home.has_second_name(file)? {
        let begins = parts::begins(file).map_err(unreadable)?;
        settle_names(home, file, begins.map_or(1, |seen| seen.link.sequence))?;
    }
    let size = home.check(file)?;
    let (tail, _) = ended(home, Tail::find(file, size))?;
    let first = begin(home, file, tail)?;
    Ok((first, tail, size))
}

fn begin(home: &Home, file: &File, tail: Tail) -> Result<u64, Error> {
    if tail.length == 0 {
        return Ok(1);
    }
    let begins = parts::begins(file).map_err(|error| Error::io(home.path(), "cannot be read", error))?;
    match begins {
        Some(seen) => Ok(seen.link.sequence),
        None => Err(Error::new(
            ErrorKind::Broken,
            home.path(),
            "does not begin like a log",
        )),
    }
}

/// A crash in the middle of going over to a new file leaves the old one with two names: it goes on in the old one.
fn settle_names(home: &Home, file: &File, first: u64) -> Result<(), Error> {
    if !home.has_second_name(file)? {
        return Ok(());
    }
    let name = parts::name(first);
    match home.directory_beside(parts::SUFFIX, false) {
        Ok(parts) if home.is_named(&parts, &name, file) => home
            .unlink_in(&parts, &name)
            .map_err(|error| Error::io(home.path(), "has a second name that cannot be removed", error)),
        _ => Ok(()),
    }
}

fn ended(home: &Home, ending: io::Result<Ending>) -> Result<(Tail, bool), Error> {
    match ending.map_err(|error| Error::io(home.path(), "cannot be read", error))? {
        Ending::Clean(tail) => Ok((tail, false)),
        Ending::Torn(tail) => Ok((tail, true)),
        Ending::Broken(fault) => Err(Error::new(
            ErrorKind::Broken,
            home.path(),
            format!("has a broken chain near its end: {}", fault.what),
        )),
    }
}

/// Opens the key and the head, makes those of a new log, and holds the head against the log.
fn beside(home: &Home, file: &File, size: u64, first: u64, tail: Tail) -> Result<(DigestKey, File), Error> {
    let head_name = home.beside(head::SUFFIX);
    let head_path = home.path_of(&head_name);
    let here = Head {
        first,
        length: tail.length,
        link: tail.link,
    };
    let broken = |what: &str| Error::new(ErrorKind::Broken, home.path(), what);
    let found = home.open_beside(&head_name)?;
    match (key::load(home)?, found) {
        (Some(key), Some(head)) => {
            let said = head::read(&head, Some(&key))
                .map_err(|error| Error::io(&head_path, "cannot be read", error))?;
            match said {
                Found::Sealed(said) => fits(home, file, size, said, here)?,
                _ => return Err(broken("has a head that was not written by it")),
            }
            Ok((key, head))
        }
        (Some(_), None) if tail.length > 0 => Err(broken("has lost its head, which tells how long it was")),
        (None, Some(_)) if tail.length > 0 => Err(broken("has lost its key")),
        (key, _) => {
            // Before anything is appended the log's own name must be durable.
            home.sync()
                .map_err(|error| Error::io(home.path(), "cannot be made durable", error))?;
            let fresh = match key {
                Some(key) => Ok(key),
                None => Err(key::fresh(home)?),
            };
            let text = here.write(fresh.as_ref().unwrap_or_else(|fresh| &fresh.key));
            home.keep_beside(&head_name, &text)
                .map_err(|error| Error::io(&head_path, "cannot be created", error))?;
            // The key last: a key without a head would be a head that is gone.
            let key = match fresh {
                Ok(key) => key,
                Err(fresh) => fresh.store(home)?,
            };
            let head = home
                .open_beside(&head_name)?
                .ok_or_else(|| Error::place(&head_path, "is gone from its place"))?;
            Ok((key, head))
        }
    }
}

/// Whether what the head says can be true of the log.
fn fits(home: &Home, file: &File, size: u64, said: Head, here: Head) -> Result<(), Error> {
    let broken = |what: String| Err(Error::new(ErrorKind::Broken, home.path(), what));
    let other = || broken("is not the log that its head was written for".to_owned());
    if said.link.sequence > here.link.sequence {
        return broken(format!(
            "ends at record {}, but {} were written: its end was cut off",
            here.link.sequence, said.link.sequence
        ));
    }
    if said.link == here.link || said.link == Link::START {
        return Ok(());
    }
    if said.link.sequence == here.link.sequence {
        return other();
    }
    if said.first != here.first {
        // The log went over to a new file, and the head was not written again: the chain is for `verify` to walk.
        return Ok(());
    }
    if said.length > size {
        return other();
    }
    // The head lags behind: everything after it has to follow from it.
    let known = Tail {
        length: said.length,
        link: said.link,
    };
    let (tail, _) = ended(home, known.follow(file, size))?;
    match tail.link == here.link {
        true => Ok(()),
        false => other(),
    }
}
