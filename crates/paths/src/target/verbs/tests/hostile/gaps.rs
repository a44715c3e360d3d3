//! The exchange in one gap between two system calls, and back in another: every pair of gaps is tried.

use std::cell::Cell;
use std::rc::Rc;

use super::attempts::ATTEMPTS;
use super::{Arena, LEAF, SECRET, look_and_open};
use crate::target::race;

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
