use portcullis_classify::{Call, EffectKind, Limits, Shape};
use proptest::prelude::*;

use super::*;

const SETTINGS: BreakerSettings = BreakerSettings {
    in_a_row: 3,
    among_recent: 10,
    window: 50,
    same_intent: 3,
};

fn intent(name: &str) -> Intent {
    Intent::from_parts([(EffectKind::Delete, name.as_bytes().to_vec())].into())
}

/// Each about something else, so that only the run counts.
fn after(all: &[Ended]) -> Breaker {
    let mut breaker = Breaker::default();
    for (at, ended) in all.iter().enumerate() {
        breaker.note(intent(&at.to_string()), None, *ended, &SETTINGS);
    }
    breaker
}

use Ended::{Adverse, Allowed, Neither};

#[test]
fn three_in_a_row_end_the_asking() {
    assert!(!after(&[Adverse, Adverse]).is_open);
    assert!(after(&[Adverse, Adverse, Adverse]).is_open);
    assert!(!after(&[Adverse, Adverse, Allowed, Adverse, Adverse]).is_open);
    assert!(after(&[Adverse, Neither, Adverse, Neither, Adverse]).is_open);
}

#[test]
fn ten_among_fifty_end_the_asking() {
    let two_and_one = [Adverse, Adverse, Allowed];
    let some = |times: usize| two_and_one.repeat(times);
    assert!(!after(&some(4)).is_open);
    assert!(after(&some(5)).is_open);
    // Old ones are forgotten.
    let mut old = some(4);
    old.extend([Allowed; 50]);
    old.extend(some(4));
    assert!(!after(&old).is_open);
}

#[test]
fn the_same_thing_three_times_is_not_asked_about_again() {
    let mut breaker = Breaker::default();
    for _ in 0..2 {
        breaker.note(intent("a"), None, Adverse, &SETTINGS);
        breaker.note(intent("b"), None, Allowed, &SETTINGS);
    }
    assert!(!breaker.is_open(&intent("a"), &SETTINGS));
    breaker.note(intent("a"), None, Adverse, &SETTINGS);
    assert!(breaker.is_open(&intent("a"), &SETTINGS));
    assert!(!breaker.is_open(&intent("b"), &SETTINGS));
}

#[test]
fn an_allow_in_between_begins_anew() {
    let mut breaker = Breaker::default();
    for ended in [Adverse, Adverse, Allowed, Adverse, Adverse] {
        breaker.note(intent("a"), None, ended, &SETTINGS);
    }
    assert!(!breaker.is_open(&intent("a"), &SETTINGS));
}

#[test]
fn calls_of_one_message_count_once() {
    let mut breaker = Breaker::default();
    for message in 0..2 {
        breaker.new_batch(&SETTINGS);
        for call in 0..5 {
            breaker.note(intent(&format!("{message}/{call}")), None, Adverse, &SETTINGS);
        }
    }
    breaker.new_batch(&SETTINGS);
    assert!(!breaker.is_open);
    // One adverse call makes its batch adverse, whatever came before or after it.
    for ended in [Allowed, Adverse, Allowed] {
        breaker.note(intent("z"), None, ended, &SETTINGS);
    }
    breaker.new_batch(&SETTINGS);
    assert!(breaker.is_open);
}

/// One session's message says nothing about calls of others.
#[test]
fn each_speaker_has_its_own_batch() {
    let speaker = |session: &str| {
        let text = serde_json::json!({
            "id": "c", "tool": "t", "args": {}, "cwd": "/w", "session": session, "message": "m",
        });
        let text = text.to_string();
        let call = Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default());
        Speaker::of(&call.unwrap())
    };
    let (a, b) = (speaker("a"), speaker("b"));
    let mut breaker = Breaker::default();
    breaker.new_message(&a, &SETTINGS);
    for at in 0..5 {
        breaker.note(intent(&at.to_string()), Some(&a), Adverse, &SETTINGS);
    }
    assert_eq!(breaker.in_a_row, 1);
    breaker.new_message(&b, &SETTINGS);
    breaker.note(intent("b"), Some(&b), Adverse, &SETTINGS);
    breaker.note(intent("a"), Some(&a), Adverse, &SETTINGS);
    assert_eq!(breaker.in_a_row, 2);
    // A call that names no message is in none.
    breaker.note(intent("c"), None, Adverse, &SETTINGS);
    assert!(breaker.is_open);
}

#[test]
fn an_empty_batch_says_nothing() {
    let mut breaker = Breaker::default();
    for _ in 0..60 {
        breaker.new_batch(&SETTINGS);
    }
    assert!(breaker.recent.is_empty());
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut breaker = Breaker::default();
    for at in 0..3 * INTENTS {
        breaker.note(intent(&at.to_string()), None, Adverse, &SETTINGS);
    }
    assert!(breaker.intents.len() <= INTENTS);
    assert!(breaker.recent.len() <= SETTINGS.window);
}

proptest! {
    /// Against the rule as it is told: the longest row, and the fullest window.
    #[test]
    fn opens_when_the_rule_says(all in prop::collection::vec(
        prop::sample::select(vec![Adverse, Allowed, Allowed, Neither]), 0..120)
    ) {
        let told: Vec<Ended> = all.iter().copied().filter(|ended| *ended != Neither).collect();
        let row = told.split(|ended| *ended == Allowed).map(<[_]>::len).max().unwrap_or_default();
        let fullest = told
            .windows(told.len().clamp(1, 50))
            .map(|window| window.iter().filter(|ended| **ended == Adverse).count())
            .max()
            .unwrap_or_default();
        prop_assert_eq!(after(&all).is_open, row >= 3 || fullest >= 10);
    }
}
