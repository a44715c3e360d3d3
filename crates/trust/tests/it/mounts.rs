//! Mounts of a test's own, in a thread that nobody else sees.

use std::process::Command;

use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::thread::UnshareFlags;

/// Set for a test that was started once more, where it may mount.
const NESTED: &str = "TRUST_TEST_MAY_MOUNT";

/// Runs the work in a thread with mounts of its own; where that takes rights that the test lacks, the test is started once
/// more in a user name space in which it has them.
pub(crate) fn with_own_mounts(name: &str, work: impl FnOnce() + Send) {
    let own = || {
        #[expect(
            deprecated,
            reason = "the mount table alone is taken apart, never the descriptors"
        )]
        rustix::thread::unshare(UnshareFlags::NEWNS | UnshareFlags::FS)?;
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        work();
        Ok(())
    };
    let ran = std::thread::scope(|scope| scope.spawn(own).join());
    match ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
        Ok(()) => {}
        Err(Errno::PERM) if std::env::var_os(NESTED).is_none() => once_more(name),
        Err(why) => skipped(name, &why.to_string()),
    }
}

fn once_more(name: &str) {
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount"]);
        command
    };
    if !unshare()
        .arg("true")
        .status()
        .is_ok_and(|status| status.success())
    {
        return skipped(name, "neither mounts nor user name spaces are allowed");
    }
    let thread = std::thread::current();
    let test = thread.name().unwrap();
    let mut again = unshare();
    again.arg(std::env::current_exe().unwrap());
    let output = again
        .args(["--exact", test, "--nocapture"])
        .env(NESTED, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn skipped(name: &str, why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{name} has to run: {why}");
    println!("SKIPPED {name}: {why}");
}
