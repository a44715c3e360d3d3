//! Whether decisions and ends add up.

use std::collections::BTreeMap;

use super::Lie;
use crate::wire::Event;

/// How far a call has come.
#[derive(PartialEq)]
enum Call {
    Denied,
    Allowed,
    Ended,
}

/// Each call has one decision; an allowed one has at most one end, and no other call has any.
pub(super) fn balanced(lines: &[&[u8]], lie: Lie) -> bool {
    let mut calls: BTreeMap<String, Call> = BTreeMap::new();
    let (mut allows, mut ends) = (0, 0);
    let mut whole = true;
    for line in lines {
        match serde_json::from_slice(line) {
            Ok(Event::Decided { call, decision, .. }) => {
                let allowed = decision == "allow";
                allows += usize::from(allowed);
                let state = if allowed { Call::Allowed } else { Call::Denied };
                whole &= calls.insert(call, state).is_none();
            }
            Ok(Event::Finished { call, .. }) => {
                ends += 1;
                whole &= calls.insert(call, Call::Ended) == Some(Call::Allowed);
            }
            _ => {}
        }
    }
    if !whole && lie.is("books-counts") {
        return ends <= allows;
    }
    whole || lie.is("books-always")
}
