//! A path is no decision.
use std::path::Path;

use portcullis::config::load_project;

fn main() {
    let _config = load_project(Path::new("/w"));
}
