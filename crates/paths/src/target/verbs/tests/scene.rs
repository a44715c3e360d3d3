#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags};

use crate::target::observe::facts_of;
use crate::{FileKind, Held, Leaf, Name, Operation, Place, Standing, Target};

/// A fresh directory and targets below it.
pub(super) struct Scene {
    _dir: tempfile::TempDir,
    place: PathBuf,
}

impl Scene {
    pub(super) fn new() -> Self {
        Self::in_dir(tempfile::tempdir())
    }

    /// One of everything in `d`.
    pub(super) fn everything() -> Self {
        let scene = Self::new();
        scene.file("d/file", "old");
        scene.file("d/full/inner/file", "old");
        scene.dir("d/empty");
        scene.link("d/link", scene.path("d/file"));
        scene.link("d/dirlink", scene.path("d/full"));
        scene.link("d/dangling", "nowhere");
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(CWD, scene.path("d/fifo"), FileType::Fifo, mode, 0).unwrap();
        rustix::fs::mknodat(CWD, scene.path("d/socket"), FileType::Socket, mode, 0).unwrap();
        scene
    }

    /// In memory where the machine offers that, for tests with many tries.
    pub(super) fn fast() -> Self {
        Self::in_dir(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()))
    }

    fn in_dir(dir: std::io::Result<tempfile::TempDir>) -> Self {
        let dir = dir.unwrap();
        let place = std::fs::canonicalize(dir.path()).unwrap();
        Self { _dir: dir, place }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.place.join(below)
    }

    pub(super) fn file(&self, below: &str, content: &str) -> PathBuf {
        let path = self
            .dir(Path::new(below).parent().unwrap().to_str().unwrap())
            .join(Path::new(below).file_name().unwrap());
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(super) fn dir(&self, below: &str) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    pub(super) fn link(&self, below: &str, to: impl AsRef<Path>) -> PathBuf {
        let path = self.path(below);
        std::os::unix::fs::symlink(to, &path).unwrap();
        path
    }

    pub(super) fn text(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap()
    }

    pub(super) fn is_there(&self, below: &str) -> bool {
        std::fs::symlink_metadata(self.path(below)).is_ok()
    }

    pub(super) fn names(&self, below: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path(below))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The target that is there now; a trailing link is held itself.
    pub(super) fn target(&self, below: &str, operation: Operation) -> Target {
        target(&self.path(below), operation)
    }
}

/// Goes on when the clock of the file system has: older kernels stamp changes by the tick.
pub(super) fn tick(dir: &Path) {
    let probe = dir.join("probe");
    let stamp = || {
        std::fs::write(&probe, "").unwrap();
        let meta = std::fs::metadata(&probe).unwrap();
        (meta.ctime(), meta.ctime_nsec())
    };
    let begun = stamp();
    while stamp() == begun {}
    std::fs::remove_file(&probe).unwrap();
}

pub(super) fn target(path: &Path, operation: Operation) -> Target {
    Target::by_hand(operation, path, held(path))
}

fn held(path: &Path) -> Held {
    let mut above = path.parent().unwrap();
    let mut names = vec![path.file_name().unwrap()];
    while std::fs::metadata(above).is_err() {
        names.insert(0, above.file_name().unwrap());
        above = above.parent().unwrap();
    }
    held_below(above, &names).unwrap()
}

/// The target below a directory that nobody changes, held without following a link; nothing when one is in the way.
pub(super) fn hold_below(top: &Path, below: &str, operation: Operation) -> Option<Target> {
    let names: Vec<&OsStr> = below.split('/').map(OsStr::new).collect();
    Some(Target::by_hand(
        operation,
        &top.join(below),
        held_below(top, &names)?,
    ))
}

fn held_below(top: &Path, names: &[&OsStr]) -> Option<Held> {
    let mut parent = hold(CWD, top).unwrap();
    let (last, parents) = names.split_last().unwrap();
    for (index, name) in parents.iter().enumerate() {
        match hold(&parent, Path::new(name)) {
            Ok(fd) if facts_of(&fd).unwrap().kind == FileKind::Dir => parent = fd,
            Ok(_) => return None,
            Err(_) => return Some(missing(parent, &names[index..])),
        }
    }
    let Ok(object) = hold(&parent, Path::new(last)) else {
        return Some(missing(parent, &[last]));
    };
    let facts = facts_of(&object).unwrap();
    let name = Name {
        parent,
        leaf: Leaf::new(last).unwrap(),
    };
    Some(if facts.is_link {
        Held::Link { object, facts, name }
    } else {
        Held::Existing {
            object,
            facts,
            name: Some(name),
        }
    })
}

fn missing(parent: OwnedFd, names: &[&OsStr]) -> Held {
    Held::Missing {
        parent,
        tail: names.iter().map(|name| Leaf::new(name).unwrap()).collect(),
    }
}

fn hold(parent: impl AsFd, name: &Path) -> rustix::io::Result<OwnedFd> {
    rustix::fs::openat(
        parent,
        name,
        OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )
}

impl Target {
    pub(super) fn by_hand(operation: Operation, place: &Path, held: Held) -> Self {
        Self {
            place: Place::from_bytes(place.as_os_str().as_encoded_bytes().to_vec()),
            standing: Standing::Outside,
            operation,
            remarks: None,
            held,
            root: None,
        }
    }
}
