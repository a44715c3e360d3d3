//! What a case needs of the system, made for one thread of the test and ended with it.
//!
//! Where mounting wants more rights than the tests have, the test is run once more, in a user name space of its own where
//! it has them.

use std::process::Command;

use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities, set_capabilities};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// Set for a test that was started once more.
const NESTED: &str = "PORTCULLIS_TEST_IN_USER_NAMESPACE";
const CHILD: &str = "PORTCULLIS_TEST_IN_A_CHILD";

/// A case that this machine cannot run says so; where everything has to run it fails.
fn skipped(name: &str, why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{name} has to run: {why}");
    println!("SKIPPED {name}: {why}");
}

/// Runs the work in a thread with mounts of its own.
pub(crate) fn with_own_mounts(name: &str, work: impl FnOnce() + Send) {
    let ran = in_a_thread(|| {
        #[expect(
            deprecated,
            reason = "the mount table alone is taken apart, never the descriptors"
        )]
        rustix::thread::unshare(UnshareFlags::NEWNS | UnshareFlags::FS)?;
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        work();
        Ok(())
    });
    match ran {
        Ok(()) => {}
        Err(Errno::PERM) if std::env::var_os(NESTED).is_none() => in_own_user_namespace(name),
        Err(why) => skipped(name, &why.to_string()),
    }
}

/// Runs the work in a thread that may read, write and search only what the modes allow.
pub(crate) fn without_override(work: impl FnOnce() + Send) {
    in_a_thread(|| {
        let mut rights = capabilities(None).unwrap();
        for set in [
            &mut rights.effective,
            &mut rights.permitted,
            &mut rights.inheritable,
        ] {
            set.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
        }
        set_capabilities(None, rights).unwrap();
        work();
    });
}

/// The number of `openat2` is the same on every architecture.
const OPENAT2: i64 = 437;

/// Runs the work in a thread whose kernel answers every `openat2` with this error.
pub(crate) fn without_openat2(errno: Errno, work: impl FnOnce() + Send) {
    in_a_thread(|| {
        let filter = SeccompFilter::new(
            [(OPENAT2, Vec::new())].into(),
            SeccompAction::Allow,
            SeccompAction::Errno(errno.raw_os_error().unsigned_abs()),
            std::env::consts::ARCH.try_into().unwrap(),
        );
        let program: BpfProgram = filter.unwrap().try_into().unwrap();
        seccompiler::apply_filter(&program).unwrap();
        work();
    });
}

/// Runs this test once more, alone, in a process of its own; there, `false` is told.
pub(crate) fn in_a_child() -> bool {
    if std::env::var_os(CHILD).is_some() {
        return false;
    }
    let thread = std::thread::current();
    let test = thread.name().expect("tests run in a thread of their name");
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", test, "--nocapture"]).env(CHILD, "1");
    passes(again);
    true
}

fn in_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let ran = std::thread::scope(|scope| scope.spawn(work).join());
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The test that runs now, alone, in a process with a user name space of its own.
fn in_own_user_namespace(name: &str) {
    let thread = std::thread::current();
    let test = thread.name().expect("tests run in a thread of their name");
    let mut unshare = Command::new("unshare");
    unshare.args(["--user", "--map-root-user", "--mount"]);
    if !unshare.arg("true").status().is_ok_and(|status| status.success()) {
        return skipped(name, "neither mounts nor user name spaces are allowed");
    }
    let mut again = Command::new("unshare");
    again.args(["--user", "--map-root-user", "--mount"]);
    again
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"]);
    again.env(NESTED, "1");
    passes(again);
}

fn passes(mut again: Command) {
    let output = again.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
