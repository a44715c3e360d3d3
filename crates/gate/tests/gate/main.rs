//! The gate over a real workspace, from a call to its records.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper that fails is a test that fails"
)]

mod batch;
mod breaker;
mod breaker_kept;
mod commands;
mod desk;
mod desk_room;
mod effects;
mod grants;
mod grants_and_policies;
mod grants_kept;
mod grants_of_commands;
mod grants_scopes;
mod hardship;
mod pipeline;
mod records;
mod refusals;
mod scene;
mod secrets;
mod secrets_elsewhere;
mod sequences;
mod settle;
mod terminal;
mod threads;
