//! Whole calls, judged on a real tree.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(
    clippy::unwrap_used,
    reason = "a test scene that cannot be built fails the test"
)]

mod around;
mod commands;
mod defaults;
mod forms;
mod found;
mod globs;
mod indirect;
mod levels;
mod loose_modules;
mod loose_tools;
mod mounts;
mod names;
mod programs;
mod properties;
mod refusals;
mod rules;
mod scene;
mod searches;
mod seeming;
mod tools;
