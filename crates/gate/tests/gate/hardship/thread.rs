//! What a test needs of the system, made for one thread of it and ended with it.

use std::collections::BTreeMap;
use std::process::Command;

use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities, set_capabilities};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// Set for a test that was started once more, where it may mount.
const NESTED: &str = "PORTCULLIS_GATE_TEST_MAY_MOUNT";

/// Runs the work in a thread with mounts of its own; where that takes rights that the test lacks, the test is started
/// once more in a user name space in which it has them.
pub(super) fn with_own_mounts(name: &str, work: impl FnOnce() + Send) {
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
    let may = unshare().arg("true").status();
    if !may.is_ok_and(|status| status.success()) {
        return skipped(name, "neither mounts nor user name spaces are allowed");
    }
    let thread = std::thread::current();
    let test = thread.name().unwrap();
    let output = unshare()
        .arg(std::env::current_exe().unwrap())
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

/// Runs the work in a thread that may read, write and search only what the modes allow.
pub(super) fn without_override(work: impl FnOnce() + Send) {
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

/// Runs the work in a thread for which these calls of the kernel fail with this error.
pub(super) fn failing(calls: &[i64], errno: Errno, work: impl FnOnce() + Send) {
    let rules: BTreeMap<_, _> = calls.iter().map(|call| (*call, Vec::new())).collect();
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno.raw_os_error().unsigned_abs()),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let program: BpfProgram = filter.unwrap().try_into().unwrap();
    in_a_thread(|| {
        seccompiler::apply_filter(&program).unwrap();
        work();
    });
}

fn in_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let ran = std::thread::scope(|scope| scope.spawn(work).join());
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
