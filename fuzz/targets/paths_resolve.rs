//! Paths over a small alphabet, where almost every one leads somewhere: dots, links, roots, names that are missing.
//!
//! The first byte chooses the dialect, the second the operation, the third the working directory; each byte after
//! them is one token of the path.
#![no_main]

use std::os::unix::ffi::OsStrExt;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_fuzz::{DIALECTS, Scene};
use portcullis_paths::Operation;

static SCENE: LazyLock<Scene> = LazyLock::new(Scene::build);

/// `{T}` stands for the tree's place.
const TOKENS: [&str; 46] = [
    "/",
    "..",
    ".",
    "a",
    "b",
    "c",
    "file",
    "one",
    "one2",
    "inner",
    "out",
    "in",
    "up",
    "loop",
    "new",
    "back",
    "absolute",
    "missing",
    "{T}/",
    "~/",
    "@",
    "file://",
    "//",
    "../",
    "safe",
    "key",
    "SAFE",
    "later",
    "LATER",
    "x",
    "twin",
    "pipe",
    "proc",
    "way",
    "%2e%2e",
    "%2f",
    "\\",
    "$HOME",
    "*",
    "\u{200b}",
    "\u{a0}",
    "caf\u{e9}",
    "cafe\u{301}",
    "localhost",
    "...",
    "~",
];

const FOLDERS: [&str; 5] = ["one", "one/a/b", "one/inner", "one2", "home"];

/// A longer path than this only repeats itself.
const MOST: usize = 48;

fuzz_target!(|bytes: &[u8]| {
    let [dialect, operation, folder, plan @ ..] = bytes else {
        return;
    };
    let mut text = Vec::new();
    for token in plan.iter().take(MOST) {
        match TOKENS[usize::from(*token) % TOKENS.len()] {
            "{T}/" => text.extend_from_slice(SCENE.base().as_os_str().as_bytes()),
            token => text.extend_from_slice(token.as_bytes()),
        }
        // Half of the bytes end a component, so that names also run together.
        if token & 0x80 == 0 {
            text.push(b'/');
        }
    }
    let dialect = DIALECTS[usize::from(*dialect) % DIALECTS.len()];
    let operation = Operation::ALL[usize::from(*operation) % Operation::ALL.len()];
    SCENE.check(
        &text,
        dialect,
        operation,
        FOLDERS[usize::from(*folder) % FOLDERS.len()],
    );
});
