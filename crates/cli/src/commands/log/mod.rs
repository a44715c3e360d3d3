mod books;
mod select;
mod show;
mod verify;
mod write;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use portcullis::config;

use crate::failure::Failure;
use crate::scene::{USER_POLICY, log_place};
use crate::surroundings::Surroundings;

const SHOW: &str = "\
Examples:
  portcullis log show --last 20
  portcullis log show --session s-1 --decision refused --since 2h
  portcullis log show --resource ~/app/src --json | jq 'select(.risk == \"deny\")'";

const EXPORT: &str = "\
Examples:
  portcullis log export --format csv --since 2026-11-01 > november.csv
  portcullis log export --format otel | curl --data-binary @- ...

Formats:
  json  one array of the records as they are
  csv   RFC 4180; cells that a spreadsheet could take for formulas begin with an apostrophe
  otel  OpenTelemetry log records, one `resourceLogs` message a line
  ocsf  OCSF 1.4 events of class API Activity (6003), one a line";

const VERIFY: &str = "\
Examples:
  portcullis log verify
  portcullis log verify --against checkpoint.json --key 3b6a27bc...
  portcullis log verify audit.jsonl --json

Checked are the chain of every file of the log, its head, which knows how long it was, and the
checkpoints beside it. What an owner of the whole directory could have forged, only a checkpoint
that was kept elsewhere tells.

With --json: {\"good\": records, \"whole\": true|false, \"torn\": true|false, \"first\": record,
  \"head\": true|false, \"proven\": true|false, \"checkpoints\": checked,
  \"fault\": null|{\"line\", \"part\", \"what\"}, \"open_decisions\": [sequence numbers]}";

const SEAL: &str = "\
Examples:
  portcullis log seal > checkpoint.json
  portcullis log seal | ssh elsewhere 'cat >> checkpoints'

The checkpoint names the last record and its hash, signed with a key that is made beside the log.
Keep it, or at least the public key in it, where the log's owner cannot write.";

const RECONCILE: &str = "\
Every submitted call ends in exactly one of: permitted and finished, permitted and unfinished,
refused. The exit code is 1 when some record says otherwise.";

/// Print the audit log, check it, seal it, or hand it on
#[derive(Debug, Args)]
pub(crate) struct Log {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print what was decided, by whom, and what came of it
    #[command(after_help = SHOW)]
    Show(show::Show),
    /// Write the log in a form for other programs
    #[command(after_help = EXPORT)]
    Export(show::Export),
    /// Count decisions, refusals, outcomes, tools and rules
    Stats(show::Stats),
    /// Check every record against the chain; exit code 1 when it is broken
    #[command(after_help = VERIFY)]
    Verify(verify::Verify),
    /// Hold decisions and outcomes against each other; exit code 1 when they disagree
    #[command(after_help = RECONCILE)]
    Reconcile(books::Reconcile),
    /// Sign where the log ends now, and print that
    #[command(after_help = SEAL)]
    Seal(Named),
    /// Go over to a new file; the old one is kept beside it and the chain goes on
    Rotate(Named),
}

/// The log that is meant.
#[derive(Debug, Args)]
struct Named {
    /// The log [default: your policy's `audit.path`, else audit.jsonl in your state directory]
    file: Option<PathBuf>,
}

impl Log {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        match self.action {
            Action::Show(show) => show.run(around),
            Action::Export(export) => export.run(around),
            Action::Stats(stats) => stats.run(around),
            Action::Verify(verify) => verify.run(around),
            Action::Reconcile(reconcile) => reconcile.run(around),
            Action::Seal(named) => write::seal(&named.place(around)?),
            Action::Rotate(named) => write::rotate(&named.place(around)?),
        }
    }
}

impl Named {
    fn place(&self, around: &Surroundings) -> Result<PathBuf, Failure> {
        let user = match &self.file {
            Some(_) => None,
            None => config::load_user(&around.config_directory()?.join(USER_POLICY))?,
        };
        log_place(self.file.as_deref(), user.as_ref(), around)
    }
}

fn unreadable(error: &portcullis::audit::Error) -> Failure {
    let hint = match error.kind() {
        portcullis::audit::ErrorKind::Place => {
            "name a log, which is a regular file; your own is made by the first call that is recorded"
        }
        _ => error.hint(),
    };
    Failure::input(error.to_string(), hint)
}
