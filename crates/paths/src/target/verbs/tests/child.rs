//! A test that runs again in a child process, because what it does to its process would reach the other tests.
#![expect(clippy::disallowed_methods, reason = "the child is this program again")]

use std::process::Command;

const MARK: &str = "PORTCULLIS_TEST_CHILD";

/// The program before the child's own: mounts of its own, as root or as a user who becomes root there.
pub(super) const OWN_MOUNTS: &[&str] = &["unshare", "--user", "--map-root-user", "--mount"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The child has done it, or cannot exist here.
    Parent,
    Child,
}

impl Side {
    pub(super) fn is_parent(self) -> bool {
        self == Self::Parent
    }
}

/// Runs the named test of this module again below `launcher`, unless this is that child already.
pub(super) fn again(test: &str, launcher: &[&str]) -> Side {
    if std::env::var_os(MARK).is_some() {
        return Side::Child;
    }
    if let Some((program, options)) = launcher.split_first() {
        let works = Command::new(program).args(options).arg("true").output();
        if !works.is_ok_and(|output| output.status.success()) {
            assert!(
                std::env::var_os("CI").is_none(),
                "`{program}` is needed and does not work here"
            );
            eprintln!("SKIPPED {test}: `{program}` does not work here");
            return Side::Parent;
        }
    }
    let own = std::env::current_exe().unwrap();
    let mut words = launcher.iter().map(std::ffi::OsStr::new).chain([own.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(["--test-threads=1", "--nocapture"]);
    // A prefix, so that all cases of the test run.
    command
        .arg(format!("target::verbs::tests::{test}"))
        .env(MARK, "1");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && !said.contains(" 0 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Side::Parent
}
