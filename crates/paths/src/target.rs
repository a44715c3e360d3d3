use crate::{Error, Leaf, Place};

/// A resolved path operand: canonical place, identity, links crossed, and a held handle (R10).
///
/// It is not `Clone`: whoever holds it holds the object. Its verbs act through the handle, never by the name.
#[derive(Debug)]
pub struct Target {}

/// Where a target stands relative to the roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// Inside the root of that index, in the order the roots were given.
    Inside {
        /// Index of the innermost root.
        root: usize,
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
    /// A `ConfirmRead` zone covers it.
    ConfirmRead {
        /// The zone's id.
        zone: String,
    },
    /// A `ConfirmWrite` zone covers it, or lies inside the subtree that is taken.
    ConfirmWrite {
        /// The zone's id.
        zone: String,
    },
    /// The file that would be written has other names (R11).
    HardLinked {
        /// Number of names.
        names: u64,
    },
    /// The file system does not keep identities (FUSE, NFS).
    WeakIdentity,
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

impl Target {
    /// The canonical place.
    #[must_use]
    pub fn place(&self) -> &Place {
        todo!()
    }
    /// Relative to the roots.
    #[must_use]
    pub fn standing(&self) -> Standing {
        todo!()
    }
    /// What is held.
    #[must_use]
    pub fn state(&self) -> State {
        todo!()
    }
    /// What a person should know.
    #[must_use]
    pub fn concerns(&self) -> &[Concern] {
        todo!()
    }
    /// The places of the links that were followed, in order.
    #[must_use]
    pub fn links(&self) -> &[Place] {
        todo!()
    }
    /// The zones touched.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        todo!()
    }
    /// The object's identity, when there is an object.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        todo!()
    }
    /// Checks that the object, its parents up to the root, and the root are still what was judged.
    ///
    /// # Errors
    /// `Changed` when anything differs.
    pub fn verify(&self) -> Result<(), Error> {
        todo!()
    }

    /// Reads a regular file's content, at most `limit` bytes.
    ///
    /// # Errors
    /// `Budget` when the file is larger; `Changed`, `WrongType`, `Io`.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, Error> {
        let _ = limit;
        todo!()
    }
    /// Opens a regular file for reading, through the held descriptor.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Denied`, `Io`.
    pub fn open(&self) -> Result<std::fs::File, Error> {
        todo!()
    }
    /// Opens a directory as a capability.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Denied`, `Io`.
    pub fn open_dir(&self) -> Result<cap_std::fs::Dir, Error> {
        todo!()
    }
    /// Lists a directory's direct names, sorted, at most `limit`.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Denied`, `Io`.
    pub fn list(&self, limit: usize) -> Result<Listing, Error> {
        let _ = limit;
        todo!()
    }
    /// Replaces or creates the file atomically: a temporary name in the same parent, fsync, rename there.
    /// Missing parents are made level by level. An existing file keeps its mode.
    ///
    /// # Errors
    /// `Changed` when the place no longer holds what was judged; `WrongType`, `Denied`, `Io`.
    pub fn replace(self, content: &[u8]) -> Result<(), Error> {
        let _ = content;
        todo!()
    }
    /// Writes into the existing file itself, keeping its identity and its other names.
    ///
    /// # Errors
    /// `Changed`, `WrongType`, `Denied`, `Io`.
    pub fn write_in_place(self, content: &[u8]) -> Result<(), Error> {
        let _ = content;
        todo!()
    }
    /// Creates a file that must not exist.
    ///
    /// # Errors
    /// `Exists`, `Changed`, `Io`.
    pub fn create_new(self, content: &[u8]) -> Result<(), Error> {
        let _ = content;
        todo!()
    }
    /// Removes the name: a file, a link itself, an empty directory.
    ///
    /// # Errors
    /// `NotEmpty`, `Changed`, `Denied`, `Io`.
    pub fn remove(self) -> Result<(), Error> {
        todo!()
    }
    /// Removes the name and everything below it: links are not followed, mounts are not entered, depth does
    /// not cost stack or descriptors.
    ///
    /// # Errors
    /// `Mount` when a mount point is met, `Budget` past the limits, `Changed`, `Denied`, `Io`. What was removed
    /// before the error stays removed.
    pub fn remove_tree(self, limits: &TreeLimits) -> Result<Removed, Error> {
        let _ = limits;
        todo!()
    }
    /// Renames to the new name, which must not exist (`RENAME_NOREPLACE`).
    ///
    /// # Errors
    /// `Exists`, `Changed`, `Mount` across file systems, `Denied`, `Io`.
    pub fn rename_to(self, to: Self) -> Result<(), Error> {
        let _ = to;
        todo!()
    }
    /// Makes the directory and its missing parents, level by level.
    ///
    /// # Errors
    /// `Exists` when something that is not a directory is there, `Changed`, `Denied`, `Io`.
    pub fn make_dir(self) -> Result<(), Error> {
        todo!()
    }
}

/// Names of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The entries, sorted by name.
    pub entries: Vec<ListingEntry>,
    /// There were more than the limit.
    pub truncated: bool,
}

/// One name of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingEntry {
    /// The name.
    pub name: Leaf,
    /// What it is, a link itself not followed.
    pub state: State,
}

/// Bounds on removing a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// At most this many names are removed.
    pub names: u64,
    /// At most this many levels are entered.
    pub depth: u32,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self {
            names: 1_000_000,
            depth: 10_000,
        }
    }
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Removed {
    /// Files, links and special files.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
}
