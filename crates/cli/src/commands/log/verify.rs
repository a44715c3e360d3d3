use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use portcullis::audit::{Checkpoint, PublicKey, Verification, verify_against};
use portcullis::visible;
use serde_json::json;

use super::{Named, unreadable};
use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::files;
use crate::surroundings::Surroundings;

#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    named: Named,

    /// Checkpoints that were kept elsewhere, one a line; `-` is standard input; give it again for more
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,

    /// The public key that those checkpoints must have been signed with
    #[arg(long, value_name = "DIGITS", requires = "against")]
    key: Option<String>,

    /// Earlier parts of the log may be missing, up to the one that begins with this record
    #[arg(long, value_name = "RECORD", default_value = "1", hide_default_value = true)]
    from: u64,

    /// The same as data
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn run(&self, around: &Surroundings) -> Result<u8, Failure> {
        let place = self.named.place(around)?;
        let checkpoints = self.checkpoints()?;
        let found = verify_against(&place, &checkpoints).map_err(|error| unreadable(&error))?;
        let whole = found.fault.is_none() && found.first <= self.from;
        let mut stdout = anstream::stdout().lock();
        if self.json {
            let fault = found.fault.as_ref().map(|fault| {
                let part = fault.part.as_ref().map(|part| part.to_string_lossy());
                json!({"line": fault.line, "part": part, "what": fault.what})
            });
            let verdict = json!({
                "good": found.good,
                "whole": whole,
                "torn": found.torn,
                "first": found.first,
                "head": found.has_head,
                "proven": found.is_head_proven,
                "checkpoints": found.checkpoints,
                "fault": fault,
                "open_decisions": found.open_decisions,
            });
            writeln!(stdout, "{verdict}")?;
        } else {
            write!(stdout, "{}", sentences(&found, self.from))?;
        }
        stdout.flush()?;
        Ok(if whole { DONE } else { REFUSED })
    }

    fn checkpoints(&self) -> Result<Vec<Checkpoint>, Failure> {
        let hint = "give the lines that `portcullis log seal` printed";
        let key = match &self.key {
            None => None,
            Some(text) => Some(
                PublicKey::from_hex(text)
                    .ok_or_else(|| Failure::usage("the key is not 64 hexadecimal digits", hint))?,
            ),
        };
        let mut checkpoints = Vec::new();
        for file in &self.against {
            let bytes = files::read_input_of(file, hint)?;
            let text = String::from_utf8_lossy(&bytes);
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let before = checkpoints.len();
            for line in lines {
                let read = Checkpoint::read(line).map_err(|error| {
                    Failure::input(
                        format!("a line of {} is no checkpoint: {error}", files::shown(file)),
                        hint,
                    )
                })?;
                if key.is_some_and(|key| key != read.key()) {
                    return Err(Failure::input(
                        format!(
                            "a checkpoint in {} was signed with another key",
                            files::shown(file)
                        ),
                        hint,
                    ));
                }
                checkpoints.push(read);
            }
            if checkpoints.len() == before {
                return Err(Failure::input(
                    format!("{} holds no checkpoint", files::shown(file)),
                    hint,
                ));
            }
        }
        Ok(checkpoints)
    }
}

fn sentences(found: &Verification, from: u64) -> String {
    let mut text = match &found.fault {
        None if found.first > from => format!(
            "cut: {} records are good, and those before record {} are missing\n",
            found.good, found.first
        ),
        None => format!(
            "whole: {} records, every one follows from the one before\n",
            found.good
        ),
        Some(fault) => format!(
            "broken: {} records are good, then {}\n",
            found.good,
            visible(&fault.to_string(), 600)
        ),
    };
    if !found.has_head && found.fault.is_none() {
        text.push_str(
            "alone: no head stands beside it, so records that were cut off its end are not missed\n",
        );
    }
    if found.has_head && !found.is_head_proven && found.fault.is_none() {
        text.push_str(
            "unproven: no key stands beside it, so its head may be of anyone who could write there\n",
        );
    }
    if found.checkpoints > 0 && found.fault.is_none() {
        text.push_str(&format!("sealed: {} checkpoints fit\n", found.checkpoints));
    }
    if found.torn {
        text.push_str(
            "torn: what stands behind the last record is none, as after a crash; it counts as not written\n",
        );
    }
    if !found.open_decisions.is_empty() {
        text.push_str(&format!(
            "open: {} permitted, and no outcome is recorded (left to a host, or cut off by a crash): {}\n",
            found.open_decisions.len(),
            numbers(&found.open_decisions)
        ));
    }
    text
}

/// The last ones, which are the ones that a crash just now would have left.
fn numbers(open: &[u64]) -> String {
    const MOST: usize = 20;
    let earlier = open.len().saturating_sub(MOST);
    let mut shown: Vec<String> = open.iter().skip(earlier).map(u64::to_string).collect();
    if earlier > 0 {
        shown.insert(0, format!("{earlier} earlier (all with --json)"));
    }
    shown.join(", ")
}
