//! The public facts about a target.

/// Where a target stands relative to the roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// Inside the root of that index, in the order the roots were given.
    Inside {
        /// Index of the innermost root.
        root: usize,
    },
    /// The file of that index is it, in the order the single files were given; no root holds it.
    Exactly {
        /// Index of the file.
        file: usize,
    },
    /// Outside every root.
    Outside,
}

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// An object, held by descriptor.
    Existing(FileKind),
    /// A symbolic link itself, held by its parent and name.
    Link,
    /// Nothing yet: the nearest existing directory is held, and this many names are missing below it.
    Missing {
        /// Number of names to create, at least 1.
        names: usize,
    },
}

/// The type of an existing object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A FIFO, socket or device: only names of these are ever held (to delete or move them).
    Special,
}

/// Something a target is right about but a person should know; each asks for a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Concern {
    /// A `ConfirmRead` zone covers it, or a `ConfirmRead` or `DenyRead` zone lies below a place that is searched,
    /// copied or moved: reading everything below would read that too.
    ConfirmRead {
        /// The zone's id.
        zone: String,
    },
    /// A `ConfirmWrite` zone covers it, or lies inside the subtree that is taken.
    ConfirmWrite {
        /// The zone's id.
        zone: String,
    },
    /// The file whose content, mode or times would be changed has other names (R11).
    HardLinked {
        /// Number of names.
        names: u64,
    },
    /// The object has several names, and whether one of them lies in the zone could not be told: not everything there
    /// could be looked at, or it was too much.
    NamesUntold {
        /// The zone's id.
        zone: String,
        /// Number of names.
        names: u64,
    },
    /// The file system does not keep identities (FUSE, NFS).
    WeakIdentity,
    /// The text goes through a place outside the workspace that nobody named, and out of it with `..`: whether it leads
    /// anywhere tells what is there, and neither a yes nor a question may. Such a text is to be refused (R15).
    Climbs,
    /// A name that would be created holds control, bidirectional or zero-width characters.
    UnusualName,
}

/// A zone that the target is in, or that is inside the subtree the operation takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The zone's id.
    pub zone: String,
    /// How they stand to each other.
    pub relation: Relation,
}

/// How a target stands to a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// The target is the zone's place or lies below it.
    Within,
    /// The zone's place lies below the target.
    Contains,
}

/// Device and inode: proof of identity only while a descriptor is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Device number.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
}
