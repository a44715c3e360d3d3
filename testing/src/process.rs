//! The test that runs now, once more, alone in a process.

use std::process::Command;

use crate::skipped;

/// Set for a test that was started once more.
const CHILD: &str = "PORTCULLIS_TEST_IN_A_CHILD";
/// Set for a test that was started once more where it may mount.
const MAY_MOUNT: &str = "PORTCULLIS_TEST_MAY_MOUNT";
/// A user name space in which the test is root, with mounts of its own.
const UNSHARE: &[&str] = &["--user", "--map-root-user", "--mount"];

/// Runs this test once more, alone, in a process of its own, and fails when it fails. There, `false` is told: the work
/// that would reach the other tests can be done.
pub fn in_a_child() -> bool {
    if std::env::var_os(CHILD).is_some() {
        return false;
    }
    let mut again = Command::new(this_program());
    passes(again.env(CHILD, "1"));
    true
}

/// Whether this is the process in which the test has every right to mount that it can get.
pub(crate) fn may_mount_at_last() -> bool {
    std::env::var_os(MAY_MOUNT).is_some()
}

/// Runs this test once more where it may mount.
pub(crate) fn where_it_may_mount(test: &str) {
    let may = Command::new("unshare").args(UNSHARE).arg("true").output();
    if !may.is_ok_and(|output| output.status.success()) {
        return skipped(test, "neither mounts nor user name spaces are allowed");
    }
    let mut again = Command::new("unshare");
    passes(again.args(UNSHARE).arg(this_program()).env(MAY_MOUNT, "1"));
}

fn this_program() -> std::path::PathBuf {
    std::env::current_exe().expect("a test knows its program")
}

fn passes(again: &mut Command) {
    let thread = std::thread::current();
    let test = thread.name().expect("a test runs in a thread of its name");
    let output = again
        .args(["--exact", test, "--nocapture"])
        .output()
        .expect("a test can be started once more");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
