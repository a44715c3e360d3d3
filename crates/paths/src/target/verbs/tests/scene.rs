#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};

use crate::target::observe::facts_of;
use crate::{Held, Leaf, Name, Operation, Place, Standing, Target};

/// A fresh directory and targets below it.
pub(super) struct Scene {
    dir: tempfile::TempDir,
}

impl Scene {
    pub(super) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
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

pub(super) fn target(path: &Path, operation: Operation) -> Target {
    Target::by_hand(
        operation,
        Place::from_bytes(path.as_os_str().as_encoded_bytes().to_vec()),
        held(path),
    )
}

fn held(path: &Path) -> Held {
    let leaf = Leaf::new(path.file_name().unwrap()).unwrap();
    let Some(object) = hold(path) else {
        let mut tail = vec![leaf];
        let mut above = path.parent().unwrap();
        while hold(above).is_none() {
            tail.insert(0, Leaf::new(above.file_name().unwrap()).unwrap());
            above = above.parent().unwrap();
        }
        let parent = hold(above).unwrap();
        return Held::Missing {
            parent_facts: facts_of(&parent).unwrap(),
            parent,
            tail,
        };
    };
    let facts = facts_of(&object).unwrap();
    let parent = hold(path.parent().unwrap()).unwrap();
    let name = Name {
        parent_facts: facts_of(&parent).unwrap(),
        parent,
        leaf,
    };
    if facts.is_link {
        Held::Link { object, facts, name }
    } else {
        Held::Existing {
            object,
            facts,
            name: Some(name),
        }
    }
}

fn hold(path: &Path) -> Option<OwnedFd> {
    rustix::fs::openat(
        CWD,
        path,
        OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .ok()
}

impl Target {
    pub(super) fn by_hand(operation: Operation, place: Place, held: Held) -> Self {
        Self {
            place,
            standing: Standing::Outside,
            operation,
            concerns: Vec::new(),
            links: Vec::new(),
            touches: Vec::new(),
            held,
            root: None,
        }
    }
}
