//! An effect uses the permit up.

use portcullis_gate::{Permit, effects};

fn twice(permit: Permit) {
    let _first = effects::perform(permit);
    let _second = effects::perform(permit);
}

fn main() {}
