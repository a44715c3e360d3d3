//! No bytes on disk make the reader of the log panic or run on, and reading and checking agree on what is good.
#![no_main]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_audit::{Reader, verify};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("log");
    // A new file each time: some file systems write a file out when it is cut and written again.
    let _ = fs::remove_file(&path);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path);
    file.and_then(|mut file| file.write_all(bytes)).expect("a log");
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
