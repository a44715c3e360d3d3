//! A question is settled once.

use portcullis_gate::{Moment, Pending, Reply};

fn twice(pending: Pending) {
    let _first = pending.settle(Reply::HungUp, Moment(0));
    let _second = pending.settle(Reply::HungUp, Moment(0));
}

fn main() {}
