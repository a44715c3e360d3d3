//! The program `portcullis-conformance`.

mod adapt;
mod args;
mod commands;
mod exit;
mod folder;
mod liars;
mod profile;
mod render;
mod score;

pub use args::Program;
pub use commands::main;
pub use exit::Exit;
