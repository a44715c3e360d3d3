//! The exchange in one gap between two system calls, and back in another: every pair of gaps is tried.
#![expect(clippy::disallowed_methods, reason = "somebody else acts by name")]

use std::cell::Cell;
use std::rc::Rc;

use super::attempts::ATTEMPTS;
use super::{Arena, LEAF, SECRET, look_and_open};
use crate::target::race;
use crate::target::verbs::tests::Scene;
use crate::{ErrorKind, Operation, TreeLimits};

/// Runs with exchanges before the calls of these numbers, and hands over how many calls there were.
fn run(arena: &Rc<Arena>, exchanges: [u32; 2], attempt: impl FnOnce(&Arena)) -> u32 {
    arena.furnish();
    let (calls, attacker) = (Rc::new(Cell::new(0)), Rc::clone(arena));
    let count = Rc::clone(&calls);
    race::during(
        move || {
            if exchanges.contains(&count.get()) {
                attacker.exchange();
            }
            count.set(count.get() + 1);
        },
        || attempt(arena),
    );
    calls.get()
}

const NEVER: u32 = u32::MAX;

fn in_every_pair_of_gaps(arena: &Rc<Arena>, mut attempt: impl FnMut(&Arena)) -> u32 {
    let calls = run(arena, [NEVER, NEVER], &mut attempt);
    for there in 0..calls {
        for back in (there + 1..calls).chain([NEVER]) {
            run(arena, [there, back], &mut attempt);
        }
    }
    calls
}

#[test]
fn nothing_outside_is_reached() {
    for (name, attempt, swap) in ATTEMPTS {
        let arena = Rc::new(Arena::new(swap));
        let before = arena.outside();
        let mut done = 0;
        let calls = in_every_pair_of_gaps(&arena, |arena| {
            if let Some(Ok(())) = attempt(arena) {
                done += 1;
            }
            assert_eq!(arena.outside(), before, "{name}");
        });
        assert!(calls > 3 && done > 0, "{name}: {calls} calls, {done} done");
    }
}

/// The same exchanges against the usual way, which loses: so the test above could fail.
#[test]
fn looking_and_then_opening_by_name_reaches_outside() {
    let arena = Rc::new(Arena::new(LEAF));
    let mut lost = false;
    in_every_pair_of_gaps(&arena, |arena| {
        lost |= look_and_open(&arena.scene.path("in/d/x")).is_some_and(|content| content == SECRET);
    });
    assert!(lost);
}

/// A directory of the tree is moved away while the walk is in it: the walk goes up by identity, not by `..`.
#[test]
fn a_moved_directory_leads_nowhere() {
    let mut stopped = 0;
    for gap in 0.. {
        let scene = Scene::fast();
        scene.file("in/tree/sub/sub/x", "public");
        scene.file("elsewhere/x", SECRET);
        scene.file("elsewhere/other/x", SECRET);
        let target = scene.target("in/tree", Operation::DeleteTree);
        let (from, to) = (scene.path("in/tree/sub"), scene.path("elsewhere/sub"));
        let calls = Rc::new(Cell::new(0));
        let count = Rc::clone(&calls);
        let result = race::during(
            move || {
                if count.replace(count.get() + 1) == gap {
                    // It may be gone already.
                    let _moved = std::fs::rename(&from, &to);
                }
            },
            || target.remove_tree(&TreeLimits::default()),
        );
        assert_eq!(scene.text("elsewhere/x"), SECRET);
        assert_eq!(scene.text("elsewhere/other/x"), SECRET);
        stopped += u32::from(result.is_err_and(|error| error.kind() == ErrorKind::Changed));
        if calls.get() <= gap {
            break;
        }
    }
    assert!(stopped > 0);
}
