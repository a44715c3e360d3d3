//! The reader of commands, from outside.
#![expect(
    clippy::disallowed_methods,
    reason = "a real bash is asked, in a folder of its own, for as many tries as a variable says"
)]
#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod bounds;
mod corpus;
mod differential;
mod doubts;
mod links;
mod plain;
mod printed;
mod properties;
mod unwrapped;
