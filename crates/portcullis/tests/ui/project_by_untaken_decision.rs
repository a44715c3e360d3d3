//! Neither is a decision that was not looked at.
use std::path::Path;

use portcullis::config::load_project;
use portcullis::{Override, decide_trust};

fn main() {
    let decision = decide_trust(Path::new("/w"), Some(Override::Yes));
    let _config = load_project(&decision);
}
