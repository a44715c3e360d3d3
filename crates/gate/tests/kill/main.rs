//! A process that is killed between decision and outcome, at every point and at random times: never an effect
//! without a durable decision before it, never a log that cannot be read (invariant 10).
//!
//! SIGKILL shows the order of record and effect. It does not show what a power cut would: the page cache survives.
#![expect(
    clippy::disallowed_methods,
    reason = "tests build their own trees and run themselves again"
)]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper that fails is a test that fails"
)]

mod aftermath;
mod child;
mod parent;

use parent::{Stop, kill};

/// Where in a round the child stops for the parent. A round of an asked call has seven such places: before and
/// after each of its three records, and at its end.
const POINTS_A_ROUND: u64 = 7;

/// How many times it is killed at random; CI has a slice of what was run once.
const KILLS: &str = "PORTCULLIS_KILLS";

#[test]
fn killed_at_every_point() {
    let points = POINTS_A_ROUND * child::KINDS;
    for point in 1..=2 * points {
        kill(point, &Stop::AtPoint(point));
    }
}

#[test]
fn killed_at_random_times() {
    let most: u64 = std::env::var(KILLS).map_or(40, |kills| kills.parse().unwrap());
    for seed in 1..=most {
        // A xorshift: the seeds are the points.
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        random ^= random >> 29;
        let line = 1 + random % 40;
        let spin_us = (random >> 8) % 1500;
        kill(seed, &Stop::Running { line, spin_us });
    }
}

#[test]
fn left_alone_it_does_everything() {
    kill(0, &Stop::Never);
}
