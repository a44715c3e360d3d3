//! Allowed once is allowed once.

use portcullis_gate::Permit;

fn twice(permit: &Permit) -> (Permit, Permit) {
    (Permit::clone(permit), Permit::clone(permit))
}

fn main() {}
