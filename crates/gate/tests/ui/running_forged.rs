//! Only a redeemed permit starts an effect.

use portcullis_gate::Running;

fn main() {
    let _running = Running {
        effects: Vec::new(),
    };
}
