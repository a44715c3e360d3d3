//! A permit has no public constructor and no public field.

use portcullis_gate::{Cancel, Permit};

fn main() {
    let _permit = Permit {
        cancel: Cancel::new(),
    };
}
