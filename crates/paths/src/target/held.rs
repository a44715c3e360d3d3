//! What a target holds, and what was true of it when it was judged.

use std::os::fd::OwnedFd;

use crate::{FileKind, Identity, Leaf};

/// What the kernel said of an object when it was judged (R10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) identity: Identity,
    pub(crate) kind: FileKind,
    /// A symbolic link (then `kind` is `Special`).
    pub(crate) is_link: bool,
    pub(crate) mode: u32,
    pub(crate) links: u64,
    pub(crate) ctime: (i64, u32),
    /// Birth time, where it was asked for and the file system keeps one.
    pub(crate) btime: Option<(i64, u32)>,
    pub(crate) mount: u64,
}

impl Facts {
    /// They are of one object on one mount. The type of an object never changes, and a birth time, where it was asked for,
    /// tells apart what got the same number again.
    pub(crate) fn is_of_same_object(&self, now: &Self) -> bool {
        self.identity == now.identity
            && (self.btime.is_none() || self.btime == now.btime)
            && self.kind == now.kind
            && self.is_link == now.is_link
            && self.mount == now.mount
    }

    /// They are of one object that nobody has touched in between. A directory's times and link count tell of its
    /// entries, so they may differ.
    pub(crate) fn is_untouched(&self, now: &Self) -> bool {
        let as_was = self.kind == FileKind::Dir || (self.links == now.links && self.ctime == now.ctime);
        self.is_of_same_object(now) && as_was
    }
}

/// A name below a held directory.
#[derive(Debug)]
pub(crate) struct Name {
    /// `O_PATH` descriptor of the parent directory.
    pub(crate) parent: OwnedFd,
    pub(crate) leaf: Leaf,
}

/// The handle itself. Every descriptor is `O_PATH | O_CLOEXEC`. What a held directory is never changes, so the kernel is
/// asked about a parent only when it is used.
#[derive(Debug)]
pub(crate) enum Held {
    /// An existing object, links followed. `name` is its canonical name; `None` for `/` and where the operation needs no name.
    Existing {
        object: OwnedFd,
        facts: Facts,
        name: Option<Name>,
    },
    /// A symbolic link itself.
    Link {
        object: OwnedFd,
        facts: Facts,
        name: Name,
    },
    /// Nothing yet: the nearest existing directory and the names missing below it (at least one).
    Missing { parent: OwnedFd, tail: Vec<Leaf> },
}
