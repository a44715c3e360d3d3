//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{ask, call, check, config, desk, grants, hook, init, log, subject, trust};
use crate::exit_codes;
use crate::failure::Failure;
use crate::surroundings::{self, Surroundings};

/// The gate between an AI agent and the machine it works on
///
/// Every tool call is read, resolved, judged, approved and recorded before anything happens. Whatever goes wrong, the
/// call does not run. A prompt is not a sandbox: a command that you allow does what it does.
#[derive(Debug, Parser)]
#[command(name = "portcullis", version, after_help = exit_codes::HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Call(call::Call),
    Hook(hook::Hook),
    Desk(desk::Desk),
    Ask(ask::Ask),
    Log(log::Log),
    Grants(grants::Grants),
    Init(init::Init),
    Trust(trust::Trust),
    Config(config::Config),
    Subject(subject::Subject),
}

/// Prints help, or why the command line cannot be understood, and gives the exit code. A hook that was set up wrong
/// is a deny in every way an agent may look for one.
pub(crate) fn not_understood(error: &clap::Error) -> u8 {
    if error.use_stderr() && surroundings::is_hook() {
        return hook::deny("the hook's command line cannot be understood: see `portcullis hook --help`");
    }
    // Help that nobody reads any more is no failure.
    let _unread = error.print();
    match error.use_stderr() {
        true => exit_codes::USAGE_OR_DENY,
        false => exit_codes::DONE,
    }
}

impl Cli {
    pub(crate) fn run(self) -> Result<u8, Failure> {
        match self.command {
            Command::Check(check) => check.run(&Surroundings::look()),
            Command::Call(call) => call.run(&Surroundings::look()),
            Command::Hook(hook) => Ok(hook.run()),
            Command::Desk(desk) => desk.run(&Surroundings::look()),
            Command::Ask(ask) => ask.run(&Surroundings::look()),
            Command::Log(log) => log.run(&Surroundings::look()),
            Command::Grants(grants) => grants.run(&Surroundings::look()),
            Command::Init(init) => init.run(&Surroundings::look()),
            Command::Trust(trust) => trust.run(&Surroundings::look()),
            Command::Config(config) => config.run(&Surroundings::look()),
            Command::Subject(subject) => subject.run(),
        }
    }
}
