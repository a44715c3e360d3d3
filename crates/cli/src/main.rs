//! The program `portcullis`.
//!
//! It holds no policy: it reads the surroundings once, hands values to the facade, and prints what comes back. Data
//! goes to standard output, everything else to standard error. What it does not protect against is what the facade
//! does not: a hook that is not called, and a command that a person allowed.

mod approver;
mod cli;
mod commands;
mod desk;
mod exit_codes;
mod failure;
mod files;
mod hook;
mod input;
mod report;
mod scene;
mod subject;
mod surroundings;

use std::panic;
use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;
use crate::failure::Failure;

fn main() -> ExitCode {
    // A panic is a fault like any other: it has its own code, and the message stands on standard error already.
    let ended = panic::catch_unwind(|| match Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(error) => Ok(cli::not_understood(&error)),
    });
    ExitCode::from(match ended {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) => failure.report(),
        Err(_) => Failure::fault(
            "the program failed inside",
            "please report it with the input that caused it",
        )
        .report(),
    })
}
