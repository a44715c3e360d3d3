//! The program `portcullis-conformance`.

mod args;
mod commands;
mod exit;
mod folder;

pub use args::Program;
pub use commands::main;
pub use exit::Exit;
