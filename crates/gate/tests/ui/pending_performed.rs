//! A question is not an answer.

use portcullis_gate::{Pending, effects};

fn unanswered(pending: Pending) {
    let _result = effects::perform(pending);
}

fn main() {}
