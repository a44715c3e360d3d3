//! Somebody exchanges names for links to the outside, as fast as he can, while a verb runs.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rstest::rstest;
use rustix::fs::{CWD, RenameFlags};

use super::Scene;
use super::scene::hold_below;
use crate::{Error, Operation, Target, TreeLimits};

const TRIES: u32 = 2_000;
const SECRET: &str = "secret";

/// What is exchanged: a name inside for a link to a name outside.
#[derive(Clone, Copy)]
struct Swap {
    inside: &'static str,
    link: &'static str,
    outside: &'static str,
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

/// The scene, and the lock under which it is either exchanged or set up.
struct Arena {
    scene: Scene,
    swap: Swap,
    turn: Mutex<()>,
    over: AtomicBool,
    swaps: AtomicU64,
}

impl Arena {
    fn new(swap: Swap) -> Self {
        let scene = Scene::fast();
        scene.file("out/x", SECRET);
        scene.file("out/new/b/x", SECRET);
        scene.file("out/tree/sub/x", SECRET);
        scene.dir("in");
        Self {
            scene,
            swap,
            turn: Mutex::new(()),
            over: AtomicBool::new(false),
            swaps: AtomicU64::new(0),
        }
    }

    fn set_up(&self) {
        let _turn = self.turn.lock().unwrap();
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

    fn exchange_until_over(&self) {
        while !self.over.load(Ordering::Relaxed) {
            let turn = self.turn.lock().unwrap();
            // A few without giving the turn away, so that the set-up does not set the pace.
            for _ in 0..20 {
                if self.exchange() {
                    self.swaps.fetch_add(1, Ordering::Relaxed);
                }
            }
            drop(turn);
        }
    }

    /// A target held the way the resolver holds: no link followed on the way, nothing by name.
    fn target(&self, below: &str, operation: Operation) -> Option<Target> {
        hold_below(&self.scene.path("in"), below, operation)
    }

    /// Runs with the exchanges going on beside it, and hands over how often that was.
    fn beside_exchanges(&self, mut run: impl FnMut()) -> u64 {
        std::thread::scope(|threads| {
            threads.spawn(|| self.exchange_until_over());
            let end = End(&self.over);
            run();
            drop(end);
        });
        self.swaps.load(Ordering::Relaxed)
    }
}

/// Stops the other thread when an assertion fails, too.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Everything outside: content, links, and the time of the last change of each.
fn outside(scene: &Scene) -> BTreeMap<PathBuf, (Option<String>, u64, i64, i64)> {
    let mut found = BTreeMap::new();
    let mut left = vec![scene.path("out")];
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

type Attempt = fn(&Arena) -> Option<Result<(), Error>>;

fn read(arena: &Arena) -> Option<Result<(), Error>> {
    let target = arena.target("d/x", Operation::Read)?;
    Some(target.read(100).map(|content| assert_eq!(content, b"public")))
}
fn list(arena: &Arena) -> Option<Result<(), Error>> {
    let target = arena.target("d/tree", Operation::List)?;
    Some(target.list(100).map(|listing| {
        assert!(
            listing
                .entries
                .iter()
                .all(|entry| entry.name.as_bytes() != b"new"),
            "{listing:?}"
        );
    }))
}
fn replace(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/x", Operation::Write)?.replace(b"written"))
}
fn replace_missing(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/new/b/x", Operation::Write)?.replace(b"written"))
}
fn write_in_place(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/x", Operation::Write)?.write_in_place(b"written"))
}
fn create_new(arena: &Arena) -> Option<Result<(), Error>> {
    Some(
        arena
            .target("d/new/b/c", Operation::CreateNew)?
            .create_new(b"written"),
    )
}
fn make_dir(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/new/b/c", Operation::MakeDir)?.make_dir())
}
fn remove(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/x", Operation::Delete)?.remove())
}
fn remove_tree(arena: &Arena) -> Option<Result<(), Error>> {
    Some(
        arena
            .target("d/tree", Operation::DeleteTree)?
            .remove_tree(&TreeLimits::default())
            .map(drop),
    )
}
fn rename(arena: &Arena) -> Option<Result<(), Error>> {
    let from = arena.target("d/x", Operation::MoveFrom)?;
    Some(from.rename_to(arena.target("e/x", Operation::MoveTo)?))
}
fn rename_dir(arena: &Arena) -> Option<Result<(), Error>> {
    let from = arena.target("d/tree", Operation::MoveFrom)?;
    Some(from.rename_to(arena.target("e/tree", Operation::MoveTo)?))
}
fn rename_in(arena: &Arena) -> Option<Result<(), Error>> {
    let from = arena.target("e", Operation::MoveFrom)?;
    Some(from.rename_to(arena.target("d/e", Operation::MoveTo)?))
}

#[rstest]
#[case::read_leaf(read, LEAF)]
#[case::read_parent(read, PARENT)]
#[case::list_leaf(list, TREE)]
#[case::list_parent(list, PARENT)]
#[case::replace_leaf(replace, LEAF)]
#[case::replace_parent(replace, PARENT)]
#[case::replace_missing_parent(replace_missing, PARENT)]
#[case::replace_missing_made(replace_missing, MADE)]
#[case::write_in_place_leaf(write_in_place, LEAF)]
#[case::write_in_place_parent(write_in_place, PARENT)]
#[case::create_new_parent(create_new, PARENT)]
#[case::create_new_made(create_new, MADE)]
#[case::create_new_deeper(create_new, DEEPER)]
#[case::make_dir_parent(make_dir, PARENT)]
#[case::make_dir_made(make_dir, MADE)]
#[case::remove_leaf(remove, LEAF)]
#[case::remove_parent(remove, PARENT)]
#[case::remove_tree_leaf(remove_tree, TREE)]
#[case::remove_tree_parent(remove_tree, PARENT)]
#[case::remove_tree_inner(remove_tree, INNER)]
#[case::rename_leaf(rename, LEAF)]
#[case::rename_parent(rename, PARENT)]
#[case::rename_dir_leaf(rename_dir, TREE)]
#[case::rename_dir_inner(rename_dir, INNER)]
#[case::rename_into_parent(rename_in, PARENT)]
fn nothing_outside_is_reached(#[case] attempt: Attempt, #[case] swap: Swap) {
    let arena = Arena::new(swap);
    let before = outside(&arena.scene);
    let mut done = 0;
    let swaps = arena.beside_exchanges(|| {
        for _ in 0..TRIES {
            arena.set_up();
            if let Some(Ok(())) = attempt(&arena) {
                done += 1;
            }
        }
    });
    assert_eq!(outside(&arena.scene), before);
    assert!(
        swaps > 0 && done > 0,
        "{swaps} exchanges, {done} done: nothing was raced"
    );
}

/// The same race against the usual way, which loses it: so the test above could fail.
#[test]
fn looking_and_then_opening_by_name_is_reached() {
    let arena = Arena::new(LEAF);
    arena.set_up();
    let path = arena.scene.path("in/d/x");
    let mut lost = false;
    arena.beside_exchanges(|| {
        lost = (0..2_000_000).any(|_| looked_and_opened(&path).is_some_and(|content| content == SECRET));
    });
    assert!(lost, "two million looks and opens were never raced");
}

fn looked_and_opened(path: &Path) -> Option<String> {
    std::fs::symlink_metadata(path)
        .ok()?
        .is_file()
        .then(|| std::fs::read_to_string(path).ok())?
}
