//! No bytes on disk make the reader of the log panic or run on, and reading and checking agree on what is good.
#![no_main]

use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_audit::{Reader, verify};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("log");
    fs::write(&path, bytes).expect("a log");
    let (Ok(reader), Ok(verification)) = (Reader::open(&path), verify(&path)) else {
        return;
    };
    let lines = bytes.split(|byte| *byte == b'\n').count();
    let mut good = 0;
    for (read, entry) in (1..).zip(reader) {
        assert!(read <= lines + 1, "more entries than lines");
        if entry.is_err() {
            break;
        }
        good += 1;
    }
    assert_eq!(good, verification.good);
});
