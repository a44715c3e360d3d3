use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use portcullis::audit::{Reconciliation, reconcile};
use portcullis::visible;
use serde_json::{Value, json};

use super::{Named, unreadable};
use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::files;
use crate::surroundings::Surroundings;

#[derive(Debug, Args)]
pub(super) struct Reconcile {
    #[command(flatten)]
    named: Named,

    /// Further logs
    more: Vec<PathBuf>,

    /// The same as data, one line for each log
    #[arg(long)]
    json: bool,
}

impl Reconcile {
    pub(super) fn run(&self, around: &Surroundings) -> Result<u8, Failure> {
        let mut places = vec![self.named.place(around)?];
        for more in &self.more {
            places.push(around.absolute(more)?);
        }
        let mut stdout = anstream::stdout().lock();
        let mut code = DONE;
        for place in &places {
            let found = reconcile(place).map_err(|error| unreadable(&error))?;
            if !found.violations.is_empty() {
                code = REFUSED;
            }
            if self.json {
                writeln!(stdout, "{}", data(&found))?;
                continue;
            }
            if places.len() > 1 {
                writeln!(stdout, "{}:", files::shown(place))?;
            }
            write!(stdout, "{}", sentences(&found))?;
        }
        stdout.flush()?;
        Ok(code)
    }
}

fn data(found: &Reconciliation) -> Value {
    json!({
        "submitted": found.submitted,
        "finished": {
            "done": found.finished.done,
            "failed": found.finished.failed,
            "changed": found.finished.changed,
            "unused": found.finished.unused,
        },
        "unfinished": found.unfinished,
        "handed_to_host": found.handed_to_host,
        "refused": found.refused,
        "undecided": found.undecided,
        "violations": found.violations,
    })
}

fn sentences(found: &Reconciliation) -> String {
    let finished = &found.finished;
    let mut text = format!(
        "{} calls: {} permitted and finished, {} permitted and unfinished, {} refused\n",
        found.submitted,
        finished.sum(),
        found.unfinished.len() as u64 + found.handed_to_host,
        found.refused + found.undecided.len() as u64
    );
    text.push_str(&format!(
        "finished: {} done, {} failed, {} changed, {} unused\n",
        finished.done, finished.failed, finished.changed, finished.unused
    ));
    if found.handed_to_host > 0 {
        text.push_str(&format!(
            "left to the host's own question, whose answer is not told: {}\n",
            found.handed_to_host
        ));
    }
    if !found.undecided.is_empty() {
        text.push_str(&format!(
            "asked about and never decided, so that they did not run: {}\n",
            found.undecided.len()
        ));
    }
    for violation in &found.violations {
        text.push_str(&format!("wrong: {}\n", visible(violation, 500)));
    }
    text
}
