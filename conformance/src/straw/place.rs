//! Where a path really leads: a walk from the root, one component at a time, that keeps what it walked over.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, fstatfs, open, openat, readlinkat, statat};
use rustix::io::Errno;

/// Links of one path that are followed.
const MOST_LINKS: u32 = 40;
/// Bytes of a path that a kernel takes, without the end mark.
const LONGEST: usize = 4095;
const PROCFS: i64 = 0x9fa0;

/// An object's identity.
pub(super) type Identity = (u64, u64);

/// One directory on the way, held.
#[derive(Debug, Clone)]
pub(super) struct Held {
    name: OsString,
    pub(super) fd: Arc<OwnedFd>,
    pub(super) identity: Identity,
}

/// What stands at the end.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) identity: Identity,
    pub(super) kind: FileType,
    /// It has other names.
    pub(super) shared: bool,
    /// Keeps the object alive, so that its number is not used again.
    pub(super) fd: Arc<OwnedFd>,
}

/// A resolved path.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The directories from the root to the parent of the leaf, or of the missing tail.
    pub(super) chain: Vec<Held>,
    /// The names that follow: one when the leaf is there (none for the root itself), or all that are missing.
    pub(super) names: Vec<OsString>,
    pub(super) leaf: Option<Leaf>,
}

impl Place {
    /// Resolves a path. `follow`: whether a link at the end is followed.
    pub(super) fn resolve(path: &Path, follow: bool) -> Result<Self, Errno> {
        let bytes = path.as_os_str().as_bytes();
        if bytes.len() > LONGEST {
            return Err(Errno::NAMETOOLONG);
        }
        let must_be_directory = bytes.ends_with(b"/") || bytes.ends_with(b"/.");
        let mut chain = vec![top()?];
        let mut todo: VecDeque<OsString> = names(bytes).collect();
        let mut links = 0;
        while let Some(name) = todo.pop_front() {
            let last = todo.is_empty();
            if name == ".." {
                if chain.len() > 1 {
                    chain.pop();
                }
                continue;
            }
            let Some(parent) = chain.last() else {
                return Err(Errno::NOENT);
            };
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let fd = match openat(&*parent.fd, &name, flags, Mode::empty()) {
                Ok(fd) => fd,
                Err(Errno::NOENT) => {
                    let tail: Vec<OsString> = std::iter::once(name).chain(todo).collect();
                    if tail.iter().any(|name| name == "..") {
                        return Err(Errno::NOENT);
                    }
                    return Ok(Self {
                        chain,
                        names: tail,
                        leaf: None,
                    });
                }
                Err(error) => return Err(error),
            };
            let seen = fstat(&fd)?;
            let kind = FileType::from_raw_mode(seen.st_mode);
            let identity = (seen.st_dev, seen.st_ino);
            if kind == FileType::Symlink && (!last || follow || must_be_directory) {
                links += 1;
                if links > MOST_LINKS || fstatfs(&*parent.fd)?.f_type == PROCFS {
                    return Err(Errno::LOOP);
                }
                let target = readlinkat(&fd, "", Vec::new())?.into_bytes();
                if target.starts_with(b"/") {
                    chain.truncate(1);
                }
                for name in names(&target).collect::<Vec<_>>().into_iter().rev() {
                    todo.push_front(name);
                }
                continue;
            }
            if kind == FileType::Directory && (!last || must_be_directory) {
                chain.push(Held {
                    name,
                    fd: Arc::new(fd),
                    identity,
                });
                continue;
            }
            if !last || must_be_directory {
                return Err(Errno::NOTDIR);
            }
            return Ok(Self {
                chain,
                names: vec![name],
                leaf: Some(Leaf {
                    identity,
                    kind,
                    shared: seen.st_nlink > 1,
                    fd: Arc::new(fd),
                }),
            });
        }
        Self::of_directory(chain)
    }

    /// The path ended in a directory on the chain.
    fn of_directory(mut chain: Vec<Held>) -> Result<Self, Errno> {
        if chain.len() < 2 {
            return Err(Errno::ACCESS);
        }
        let Some(last) = chain.pop() else {
            return Err(Errno::ACCESS);
        };
        Ok(Self {
            chain,
            leaf: Some(Leaf {
                identity: last.identity,
                kind: FileType::Directory,
                shared: false,
                fd: last.fd,
            }),
            names: vec![last.name],
        })
    }

    /// The canonical path.
    pub(super) fn path(&self) -> PathBuf {
        let mut path = PathBuf::from("/");
        path.extend(self.chain.iter().skip(1).map(|held| &held.name));
        path.extend(&self.names);
        path
    }

    /// Whether this object, or one of the directories it is in, has the identity.
    pub(super) fn is_under(&self, identity: Identity) -> bool {
        self.chain.iter().any(|held| held.identity == identity)
            || self.leaf.as_ref().is_some_and(|leaf| leaf.identity == identity)
    }

    /// What stands at the end, or the directory in which it would be.
    pub(super) fn nearest(&self) -> Option<&Arc<OwnedFd>> {
        let leaf = self.leaf.as_ref().map(|leaf| &leaf.fd);
        leaf.or(self.chain.last().map(|held| &held.fd))
    }

    /// The identity of what stands at the end, and of the directory that it is in.
    pub(super) fn identities(&self) -> Vec<Identity> {
        let parent = self.chain.last().map(|held| held.identity);
        parent
            .into_iter()
            .chain(self.leaf.as_ref().map(|leaf| leaf.identity))
            .collect()
    }

    /// Whether the canonical path still leads over the same directories to the same object.
    pub(super) fn is_unchanged(&self) -> bool {
        let Ok(now) = Self::resolve(&self.path(), false) else {
            return false;
        };
        let chain = |place: &Self| place.chain.iter().map(|held| held.identity).collect::<Vec<_>>();
        let leaf = |place: &Self| place.leaf.as_ref().map(|leaf| leaf.identity);
        chain(self) == chain(&now) && leaf(self) == leaf(&now) && self.names == now.names
    }

    /// The identity of what has this name in the parent now.
    pub(super) fn identity_now(&self) -> Option<Identity> {
        let (parent, name) = (self.chain.last()?, self.names.first()?);
        let seen = statat(&*parent.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some((seen.st_dev, seen.st_ino))
    }
}

fn names(bytes: &[u8]) -> impl Iterator<Item = OsString> + '_ {
    bytes
        .split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty() && *name != b".")
        .map(|name| OsString::from_vec(OsStr::from_bytes(name).as_bytes().to_vec()))
}

fn top() -> Result<Held, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = open("/", flags, Mode::empty())?;
    let seen = fstat(&fd)?;
    Ok(Held {
        name: OsString::new(),
        fd: Arc::new(fd),
        identity: (seen.st_dev, seen.st_ino),
    })
}
