//! The order of decision and the store, with real directories and a real store.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its tree fails")]
#![expect(clippy::panic, reason = "a decider that panics on purpose")]

mod holes;
mod hostile;
mod moves;
mod order;
mod processes;
mod resources;
mod scene;
