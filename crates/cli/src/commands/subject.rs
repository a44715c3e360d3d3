use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::{subject, surroundings};

const NOTES: &str = "\
It speaks the process protocol of the conformance suite (conformance/PROTOCOL.md) on standard input
and output, and is started by it:
  cargo xtask conformance run

The gate is the one of `portcullis call`, and so are its tools.";

/// Let the conformance suite prove this gate
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Subject {
    /// Print a log of such a session in the suite's own records instead
    #[arg(long, value_name = "LOG")]
    export: Option<PathBuf>,

    /// Write the policy of such a session for `portcullis hook` instead, from its `open` on standard input, and print
    /// what to add to the hook's command
    #[arg(long, conflicts_with = "export")]
    hook: bool,
}

impl Subject {
    pub(crate) fn run(self) -> Result<u8, Failure> {
        if let Some(log) = self.export {
            return subject::export(&log);
        }
        if self.hook {
            return subject::set_up_hook();
        }
        let program = surroundings::this_program()?;
        let program = program.to_str().ok_or_else(|| {
            Failure::fault(
                "the program's own path is not UTF-8",
                "start it from a place with a plain name",
            )
        })?;
        subject::serve([program, "subject", "--export"])
    }
}
