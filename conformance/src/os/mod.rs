//! The home of disk, processes and clock: the suite makes sandboxes and looks at them by name, from outside.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite builds and inspects its own sandboxes: this is their one home"
)]

pub(crate) mod clock;
pub(crate) mod disk;
pub(crate) mod mounts;
pub(crate) mod perform;
pub(crate) mod process;
pub(crate) mod watch;
