//! The exchange as fast as another thread can.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::attempts::ATTEMPTS;
use super::{Arena, LEAF, SECRET, look_and_open};

/// Of each attempt, so 12,500 together. The gaps are covered one by one elsewhere; this is for what happens within a
/// call. A longer run sets `PATHS_RACE_TRIES`.
const TRIES: u32 = 500;

/// On a busy machine the other thread may not get a turn for long: so many tries are made until it had one and an
/// attempt came through.
const PATIENCE: u32 = 200_000;

/// Runs with the exchanges going on beside it and their count in view.
fn beside_exchanges(arena: &Arena, run: impl FnOnce(&AtomicU64)) {
    let (over, swaps) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                swaps.fetch_add(u64::from(arena.exchange()), Ordering::Relaxed);
            }
        });
        let end = End(&over);
        run(&swaps);
        drop(end);
    });
}

/// Stops the other thread when an assertion fails, too.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The directories of the inside, held, so that they can be set up while their names are exchanged.
struct Held {
    inside: Dir,
    d: Dir,
    e: Dir,
}

impl Held {
    fn of(arena: &Arena) -> Self {
        arena.furnish();
        let inside = Dir::open_ambient_dir(arena.scene.path("in"), ambient_authority()).unwrap();
        Self {
            d: inside.open_dir("d").unwrap(),
            e: inside.open_dir("e").unwrap(),
            inside,
        }
    }

    /// Whatever is exchanged meanwhile fails here, and the try is then a poorer one.
    fn furnish(&self, arena: &Arena) {
        for name in ["x", "link", "tree", "new", "e"] {
            let _is_dir = self.d.remove_file(name);
            let _is_file = self.d.remove_dir_all(name);
        }
        for name in ["x", "tree"] {
            let _is_dir = self.e.remove_file(name);
            let _is_file = self.e.remove_dir_all(name);
        }
        let _there = self.inside.create_dir("e");
        let _there = self.d.create_dir_all("tree/sub/sub");
        let _there = self.d.write("tree/sub/x", "public");
        let mut new = cap_std::fs::OpenOptions::new();
        if let Ok(mut file) = self.d.open_with("x", new.write(true).create_new(true)) {
            std::io::Write::write_all(&mut file, b"public").unwrap();
        }
        let (link, to) = (arena.swap.link, arena.scene.path(arena.swap.outside));
        let _there = match link.strip_prefix("in/d/") {
            Some(link) => self.d.symlink_contents(to, link),
            None => self.inside.symlink_contents(to, link.trim_start_matches("in/")),
        };
    }
}

#[test]
fn nothing_outside_is_reached() {
    let tries = std::env::var("PATHS_RACE_TRIES").map_or(TRIES, |tries| tries.parse().unwrap());
    let mut together = [0_u64; 3];
    for (name, attempt, swap) in ATTEMPTS {
        let arena = Arena::new(swap);
        let held = Held::of(&arena);
        let before = arena.outside();
        let (mut done, mut seen, mut made) = (0_u32, 0, 0_u32);
        beside_exchanges(&arena, |swaps| {
            for tried in 0..PATIENCE.max(tries) {
                seen = swaps.load(Ordering::Relaxed);
                if tried >= tries && seen > 0 && done > 0 {
                    break;
                }
                made += 1;
                held.furnish(&arena);
                if let Some(Ok(())) = attempt(&arena) {
                    done += 1;
                }
                if seen == 0 {
                    std::thread::yield_now();
                }
            }
        });
        assert_eq!(arena.outside(), before, "{name}");
        assert!(seen > 0 && done > 0, "{name}: {seen} exchanges, {done} done");
        together[0] += u64::from(made);
        together[1] += u64::from(done);
        together[2] += seen;
    }
    let [made, done, seen] = together;
    println!("{made} tries, {done} of them done, {seen} exchanges, nothing outside read or changed");
}

/// The same exchanges against the usual way, which loses: so the test above could fail.
#[test]
fn looking_and_then_opening_by_name_reaches_outside() {
    let arena = Arena::new(LEAF);
    arena.furnish();
    let path = arena.scene.path("in/d/x");
    let mut lost = false;
    beside_exchanges(&arena, |_| {
        lost = (0..2_000_000).any(|_| look_and_open(&path).is_some_and(|content| content == SECRET));
    });
    assert!(lost, "two million looks and opens were never raced");
}
