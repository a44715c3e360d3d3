//! No text makes a dialect or the resolver panic, and every target it becomes is where it says.
//!
//! The first byte chooses the dialect, the second the operation, the rest is the text.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_fuzz::{DIALECTS, Scene};
use portcullis_paths::Operation;

static SCENE: LazyLock<Scene> = LazyLock::new(Scene::build);

fuzz_target!(|bytes: &[u8]| {
    let [dialect, operation, text @ ..] = bytes else {
        return;
    };
    let dialect = DIALECTS[usize::from(*dialect) % DIALECTS.len()];
    let operation = Operation::ALL[usize::from(*operation) % Operation::ALL.len()];
    SCENE.check(text, dialect, operation, "one");
});
