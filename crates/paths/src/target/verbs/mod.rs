//! What can be done with a target: each verb acts through the held handle.

use crate::{Error, Leaf, State, Target};

impl Target {
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
