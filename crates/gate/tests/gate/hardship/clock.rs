//! A clock that goes backwards.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use portcullis_audit::{Filter, Reader, Stats, verify};
use portcullis_gate::{Clock, Moment};

use super::{Hard, gate_of, log_path, open};

/// Its wall clock shows whatever it is told; its other clock stands still.
#[derive(Debug, Default)]
struct Wall(AtomicI64);

impl Clock for Wall {
    fn now(&self) -> Moment {
        Moment(0)
    }
    fn wall_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Records stand in the order of the chain, whatever the clock says; no time keeps a call from being recorded, and a
/// deadline does not hang on the wall clock.
#[test]
fn a_clock_that_goes_backwards_reorders_and_stops_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut hard = Hard::below(dir.path());
    let clock = Arc::new(Wall::default());
    let log = open(&log_path(&hard.base), 20_000).unwrap();
    hard.gate = gate_of(&hard.base, log, Arc::clone(&clock));
    let times = [
        1_796_032_800_000,
        1_796_032_700_000,
        0,
        -1,
        i64::MIN,
        i64::MAX,
        1_796_032_800_001,
    ];
    for (at, time) in times.iter().enumerate() {
        clock.0.store(*time, Ordering::SeqCst);
        assert_eq!(hard.tried(&format!("call{at}")), Ok(()), "at {time}");
    }
    hard.assert_good();
    let found = verify(&hard.log()).unwrap();
    assert_eq!(found.good, 3 * 7);
    let entries: Vec<_> = Reader::open(&hard.log()).unwrap().map(Result::unwrap).collect();
    assert!(entries.is_sorted_by_key(|entry| entry.sequence()));
    assert!(entries.iter().all(|entry| entry.time_ms().is_some()));
    let mut stats = Stats::default();
    entries.iter().for_each(|entry| stats.add(entry));
    let (first, last) = stats.times.unwrap();
    assert!(
        first.starts_with("0000-01-01") && last.starts_with("9999-12-30"),
        "{first} {last}"
    );
    // A filter by time takes what says so, in whatever order it stands, and outcomes with their decisions.
    let mut filter = Filter::all();
    (filter.since_ms, filter.until_ms) = (Some(1_796_032_700_000), Some(1_796_032_800_001));
    let mut selection = filter.select();
    let chosen = entries.iter().filter(|entry| selection.takes(entry)).count();
    assert_eq!(chosen, 3 * 2);
}

/// Time may also jump while records wait for the disk.
#[test]
fn a_clock_that_jumps_under_many_threads_spoils_no_chain() {
    let dir = tempfile::tempdir().unwrap();
    let mut hard = Hard::below(dir.path());
    let clock = Arc::new(Wall::default());
    let log = open(&log_path(&hard.base), 20_000).unwrap();
    hard.gate = gate_of(&hard.base, log.rotating_at(20_000), Arc::clone(&clock));
    let ran = Mutex::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4_i64 {
            let (hard, clock, ran) = (&hard, &clock, &ran);
            scope.spawn(move || {
                for round in 0..10_i64 {
                    clock
                        .0
                        .store((5 - round) * 1_000_000 * (thread - 2), Ordering::SeqCst);
                    assert_eq!(hard.tried(&format!("{thread}-{round}")), Ok(()));
                    *ran.lock().unwrap() += 1;
                }
            });
        }
    });
    assert_eq!(ran.into_inner().unwrap(), 40);
    hard.assert_good();
}
