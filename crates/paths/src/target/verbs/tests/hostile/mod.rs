//! Somebody exchanges names for links to the outside while a verb runs: nothing outside is read or changed.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

mod attempts;
mod gaps;
mod threads;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};

use super::Scene;
use super::scene::hold_below;
use crate::{Operation, Target};

const SECRET: &str = "secret";

/// What is exchanged: a name inside for a link to a name outside.
#[derive(Clone, Copy)]
pub(super) struct Swap {
    pub(super) inside: &'static str,
    pub(super) link: &'static str,
    pub(super) outside: &'static str,
}

const LEAF: Swap = Swap {
    inside: "in/d/x",
    link: "in/d/link",
    outside: "out/x",
};
const PARENT: Swap = Swap {
    inside: "in/d",
    link: "in/link",
    outside: "out",
};
const TREE: Swap = Swap {
    inside: "in/d/tree",
    link: "in/d/link",
    outside: "out",
};
const INNER: Swap = Swap {
    inside: "in/d/tree/sub",
    link: "in/d/tree/link",
    outside: "out",
};
const MADE: Swap = Swap {
    inside: "in/d/new",
    link: "in/d/link",
    outside: "out",
};
const DEEPER: Swap = Swap {
    inside: "in/d/new/b",
    link: "in/link",
    outside: "out",
};

/// A place inside that is attacked, and a place outside that must stay.
struct Arena {
    scene: Scene,
    swap: Swap,
}

impl Arena {
    fn new(swap: Swap) -> Self {
        let scene = Scene::fast();
        scene.file("out/x", SECRET);
        scene.file("out/new/b/x", SECRET);
        scene.file("out/tree/sub/x", SECRET);
        scene.dir("in");
        Self { scene, swap }
    }

    /// Sets the inside up afresh.
    fn furnish(&self) {
        std::fs::remove_dir_all(self.scene.path("in")).unwrap();
        self.scene.file("in/d/x", "public");
        self.scene.file("in/d/tree/sub/x", "public");
        self.scene.file("in/d/tree/sub/sub/y", "public");
        self.scene.dir("in/e");
        self.scene
            .link(self.swap.link, self.scene.path(self.swap.outside));
    }

    fn exchange(&self) -> bool {
        let (inside, link) = (self.scene.path(self.swap.inside), self.scene.path(self.swap.link));
        rustix::fs::renameat_with(CWD, &inside, CWD, &link, RenameFlags::EXCHANGE).is_ok()
    }

    /// A target held the way the resolver holds: no link followed on the way, nothing by name.
    fn target(&self, below: &str, operation: Operation) -> Option<Target> {
        hold_below(&self.scene.path("in"), below, operation)
    }

    /// Everything outside: content, links, and the time of the last change of each.
    fn outside(&self) -> Outside {
        let mut found = BTreeMap::new();
        let mut left = vec![self.scene.path("out")];
        while let Some(path) = left.pop() {
            let meta = std::fs::symlink_metadata(&path).unwrap();
            let content = meta.is_file().then(|| std::fs::read_to_string(&path).unwrap());
            if meta.is_dir() {
                left.extend(
                    std::fs::read_dir(&path)
                        .unwrap()
                        .map(|entry| entry.unwrap().path()),
                );
            }
            found.insert(path, (content, meta.nlink(), meta.ctime(), meta.ctime_nsec()));
        }
        found
    }
}

type Outside = BTreeMap<PathBuf, (Option<String>, u64, i64, i64)>;

/// The usual way, by name: it looks and then opens.
fn look_and_open(path: &Path) -> Option<String> {
    let is_file = std::fs::symlink_metadata(path).ok()?.is_file();
    crate::target::race::gap();
    is_file.then(|| std::fs::read_to_string(path).ok())?
}
