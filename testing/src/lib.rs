//! What tests need of the system, made for one of them and ended with it: mounts, missing rights, calls of the kernel that
//! fail, a process of their own. For tests alone: no crate depends on it outside its `dev-dependencies`.
//!
//! A test that this machine cannot run says `SKIPPED name: why`; where `CI` is set it fails.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "this is the code of tests: what fails in it fails the test"
)]

mod process;
mod thread;

pub use process::in_a_child;
pub use thread::{OPENAT2, failing, with_own_mounts, without_override};

/// Says that a test did not run, and fails it where everything has to run.
pub(crate) fn skipped(test: &str, why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{test} has to run: {why}");
    println!("SKIPPED {test}: {why}");
}
