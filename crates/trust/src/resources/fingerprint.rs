use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::disk;

/// Names, links and files that are looked at.
const ENTRIES: usize = 20_000;
/// Bytes of all files together.
const BYTES: u64 = 64 << 20;

/// A digest of what needs trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// As 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Of places that belong to a project. What links lead to elsewhere is told by its identity and its times alone: it is
    /// nobody's business here to open it.
    pub(super) fn of<'a>(places: impl Iterator<Item = &'a Path>, project: &Path) -> Option<Self> {
        let mut walk = Walk {
            hash: Sha256::new(),
            entries: ENTRIES,
            bytes: BYTES,
            todo: places.map(|place| (place.to_path_buf(), Reach::Direct)).collect(),
            project,
        };
        walk.todo.reverse();
        walk.run().ok().flatten()?;
        let digest = walk.hash.finalize();
        Some(Self(digest.iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

struct Walk<'a> {
    hash: Sha256,
    entries: usize,
    bytes: u64,
    /// What comes next is last.
    todo: Vec<(PathBuf, Reach)>,
    project: &'a Path,
}

/// How the walk came to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Without a link.
    Direct,
    /// Through links, and it is in the project all the same.
    Linked,
    /// Through links that lead out of the project.
    Elsewhere,
}

impl Walk<'_> {
    /// `None`: more than fits the bounds. Links that lead in a circle end there too.
    fn run(&mut self) -> io::Result<Option<()>> {
        while let Some((place, mut reach)) = self.todo.pop() {
            let Some(rest) = self.entries.checked_sub(1) else {
                return Ok(None);
            };
            self.entries = rest;
            self.field(place.as_os_str().as_bytes());
            let kind = disk::kind(&place)?;
            if kind.is_symlink() {
                self.field(b"link");
                let text = disk::link_text(&place)?;
                self.field(&text);
                if !disk::leads_somewhere(&place) {
                    self.field(b"dangling");
                    continue;
                }
                if reach != Reach::Elsewhere {
                    let is_here = disk::canonical(&place).is_ok_and(|real| real.starts_with(self.project));
                    reach = if is_here { Reach::Linked } else { Reach::Elsewhere };
                }
            }
            if reach == Reach::Elsewhere {
                self.field(b"elsewhere");
                // Links in a circle lead to nothing, always.
                let state = disk::state(&place).unwrap_or_default();
                self.field(state.as_bytes());
            }
            if disk::leads_to_directory(&place) {
                let Some(names) = disk::names(&place, self.entries)? else {
                    return Ok(None);
                };
                self.field(b"directory");
                self.field(names.len().to_string().as_bytes());
                self.todo
                    .extend(names.into_iter().rev().map(|name| (name, reach)));
            } else if reach == Reach::Elsewhere {
                self.field(b"closed");
            } else if disk::leads_to_file(&place) {
                let Some(bytes) = disk::bytes(&place, self.bytes)? else {
                    return Ok(None);
                };
                self.bytes -= u64::try_from(bytes.len()).unwrap_or(self.bytes);
                self.field(b"file");
                self.field(&bytes);
            } else {
                self.field(b"other");
            }
        }
        Ok(Some(()))
    }

    /// With its length, so that no two lists of fields have the same bytes.
    fn field(&mut self, bytes: &[u8]) {
        self.hash.update(bytes.len().to_string().as_bytes());
        self.hash.update(b":");
        self.hash.update(bytes);
    }
}
