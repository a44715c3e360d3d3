//! One thread that sees another system than the rest of the test's process.

use std::collections::BTreeMap;

use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities, set_capabilities};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::{process, skipped};

/// The number of `openat2`, the same on every architecture.
pub const OPENAT2: i64 = 437;

/// Runs the work in a thread with mounts of its own; where that takes rights that the test lacks, the test is started
/// once more in a user name space in which it has them.
///
/// Programs that the work starts see the same mounts.
pub fn with_own_mounts(test: &str, work: impl FnOnce() + Send) {
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
        Err(Errno::PERM) if !process::may_mount_at_last() => process::where_it_may_mount(test),
        Err(why) => skipped(test, &why.to_string()),
    }
}

/// Runs the work in a thread that may read, write and search only what the modes allow, also as root.
pub fn without_override(work: impl FnOnce() + Send) {
    in_a_thread(|| {
        let mut rights = capabilities(None).expect("a thread can read its rights");
        for set in [
            &mut rights.effective,
            &mut rights.permitted,
            &mut rights.inheritable,
        ] {
            set.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
        }
        set_capabilities(None, rights).expect("a thread can give rights away");
        work();
    });
}

/// Runs the work in a thread for which these calls of the kernel, by number, fail with this error.
pub fn failing<T: Send>(calls: &[i64], errno: Errno, work: impl FnOnce() -> T + Send) -> T {
    let rules: BTreeMap<_, _> = calls.iter().map(|call| (*call, Vec::new())).collect();
    let machine = std::env::consts::ARCH.try_into();
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno.raw_os_error().unsigned_abs()),
        machine.expect("filters exist for this machine"),
    );
    let program: Result<BpfProgram, _> = filter.expect("a list of calls is a filter").try_into();
    let program = program.expect("a filter is a program");
    in_a_thread(|| {
        seccompiler::apply_filter(&program).expect("a thread can bar calls from itself");
        work()
    })
}

fn in_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let ran = std::thread::scope(|scope| scope.spawn(work).join());
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};

    use super::*;

    #[test]
    fn a_call_fails_in_the_thread_alone() {
        let open =
            || rustix::fs::openat2(CWD, "/", OFlags::PATH, Mode::empty(), ResolveFlags::empty()).map(drop);
        failing(&[OPENAT2], Errno::NOSYS, || assert_eq!(open(), Err(Errno::NOSYS)));
        assert_ne!(open(), Err(Errno::NOSYS));
    }
}
