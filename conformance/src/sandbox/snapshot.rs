//! What stands on the disk, and what is different later.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::Error;
use crate::os::disk;

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Dir,
    File { content: Vec<u8> },
    Link { target: Vec<u8> },
    Other(&'static str),
}

/// One entry, with its identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) shape: Shape,
    pub(crate) mode: u32,
    pub(crate) identity: (u64, u64),
}

/// Everything below a directory, names relative to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Snapshot(pub(crate) BTreeMap<Vec<u8>, Entry>);

impl Snapshot {
    /// Looks at everything below `root`, without following links. What is locked for this user is locked for the subject too.
    pub(crate) fn take(root: &Path) -> Result<Self, Error> {
        let mut found = BTreeMap::new();
        let mut open = vec![root.to_path_buf()];
        while let Some(folder) = open.pop() {
            for path in disk::entries_unless_locked(&folder)? {
                let seen = disk::metadata(&path)?;
                let kind = seen.file_type();
                let shape = if kind.is_dir() {
                    open.push(path.clone());
                    Shape::Dir
                } else if kind.is_file() {
                    match disk::bytes_unless_locked(&path)? {
                        Some(content) => Shape::File { content },
                        None => Shape::Other("locked file"),
                    }
                } else if kind.is_symlink() {
                    Shape::Link {
                        target: disk::link_target(&path)?.as_os_str().as_bytes().to_vec(),
                    }
                } else if kind.is_fifo() {
                    Shape::Other("fifo")
                } else {
                    Shape::Other("special file")
                };
                let name = path.strip_prefix(root).unwrap_or(&path).as_os_str().as_bytes();
                found.insert(
                    name.to_vec(),
                    Entry {
                        shape,
                        mode: seen.mode() & 0o7777,
                        identity: (seen.dev(), seen.ino()),
                    },
                );
            }
        }
        Ok(Self(found))
    }

    /// What is different in `after`, in the order of the names.
    pub(crate) fn changes(&self, after: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (name, old) in &self.0 {
            match after.0.get(name) {
                None => changes.push(Change::new(name, What::Gone(old.clone()))),
                Some(new) if old == new => {}
                Some(new) => changes.push(Change::new(name, What::Other(old.clone(), new.clone()))),
            }
        }
        for (name, new) in &after.0 {
            if !self.0.contains_key(name) {
                changes.push(Change::new(name, What::New(new.clone())));
            }
        }
        changes.sort_by(|a, b| a.name.cmp(&b.name));
        changes
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Relative to the root of the sandbox.
    pub(crate) name: Vec<u8>,
    pub(crate) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    New(Entry),
    Gone(Entry),
    Other(Entry, Entry),
}

impl Change {
    fn new(name: &[u8], what: What) -> Self {
        Self {
            name: name.to_vec(),
            what,
        }
    }

    /// Whether it is in the workspace.
    pub(crate) fn is_inside(&self) -> bool {
        self.name.starts_with(b"workspace/")
    }

    /// Whether it is a directory that was not there.
    pub(crate) fn is_new_directory(&self) -> bool {
        matches!(&self.what, What::New(new) if new.shape == Shape::Dir)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = String::from_utf8_lossy(&self.name);
        let name = name.escape_debug();
        match &self.what {
            What::New(new) => write!(f, "create {} `{name}`", new.shape),
            What::Gone(old) => write!(f, "delete {} `{name}`", old.shape),
            What::Other(old, new) if old.shape != new.shape && old.shape.word() != new.shape.word() => {
                write!(f, "{} `{name}` became {}", old.shape, new.shape)
            }
            What::Other(old, new) if old.shape != new.shape => write!(f, "change {} `{name}`", old.shape),
            What::Other(old, new) if old.mode != new.mode => {
                write!(f, "mode of `{name}` {:o} became {:o}", old.mode, new.mode)
            }
            What::Other(..) => write!(f, "another object with the same content at `{name}`"),
        }
    }
}

impl Shape {
    fn word(&self) -> &'static str {
        match self {
            Self::Dir => "directory",
            Self::File { .. } => "file",
            Self::Link { .. } => "link",
            Self::Other(word) => word,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
