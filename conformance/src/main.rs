//! The conformance suite as a program; `cargo xtask conformance` is the usual door.

use std::process::ExitCode;

use clap::Parser;
use portcullis_conformance::cli::{self, Program};

fn main() -> ExitCode {
    cli::main(Program::parse())
}
