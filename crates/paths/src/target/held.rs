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
    /// Birth time, where the file system keeps one.
    pub(crate) btime: Option<(i64, u32)>,
    pub(crate) mount: u64,
}

/// A name below a held directory.
#[derive(Debug)]
pub(crate) struct Name {
    /// `O_PATH` descriptor of the parent directory.
    pub(crate) parent: OwnedFd,
    pub(crate) parent_facts: Facts,
    pub(crate) leaf: Leaf,
}

/// The handle itself. Every descriptor is `O_PATH | O_CLOEXEC`.
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
    Missing {
        parent: OwnedFd,
        parent_facts: Facts,
        tail: Vec<Leaf>,
    },
}
