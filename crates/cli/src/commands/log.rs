use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use portcullis::audit::{Reader, Verification, verify};
use portcullis::{config, visible};
use serde::Serialize;
use serde_json::Value;

use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::files;
use crate::scene::{USER_POLICY, log_place};
use crate::surroundings::Surroundings;

const SHOW: &str = "\
Examples:
  portcullis log show
  portcullis log show --json | jq 'select(.risk == \"deny\")'";

const VERIFY: &str = "\
Examples:
  portcullis log verify
  portcullis log verify audit.jsonl --json

With --json: {\"good\": records, \"whole\": true|false, \"torn\": true|false,
  \"fault\": null|{\"line\", \"what\"}, \"open_decisions\": [sequence numbers]}";

/// Print the audit log, or check its chain
#[derive(Debug, Args)]
pub(crate) struct Log {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print what was decided, by whom, and what came of it
    #[command(after_help = SHOW)]
    Show(Which),
    /// Check every record against the chain; exit code 1 when it is broken
    #[command(after_help = VERIFY)]
    Verify(Which),
}

#[derive(Debug, Args)]
struct Which {
    /// The log [default: your policy's `audit.path`, else audit.jsonl in your state directory]
    file: Option<PathBuf>,

    /// The same as data
    #[arg(long)]
    json: bool,
}

impl Log {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        match self.action {
            Action::Show(which) => show(&which.place(around)?, which.json),
            Action::Verify(which) => check(&which.place(around)?, which.json),
        }
    }
}

impl Which {
    fn place(&self, around: &Surroundings) -> Result<PathBuf, Failure> {
        let user = match &self.file {
            Some(_) => None,
            None => config::load_user(&around.config_directory()?.join(USER_POLICY))?,
        };
        log_place(self.file.as_deref(), user.as_ref(), around)
    }
}

fn unreadable(place: &Path, error: &portcullis::audit::Error) -> Failure {
    Failure::input(
        format!("the log {} cannot be read: {error}", files::shown(place)),
        "name the log, or record something first: `portcullis call --help`",
    )
}

fn show(place: &Path, json: bool) -> Result<u8, Failure> {
    let reader = Reader::open(place).map_err(|error| unreadable(place, &error))?;
    let mut stdout = anstream::stdout().lock();
    let mut code = DONE;
    for entry in reader {
        match entry {
            Ok(entry) if json => writeln!(stdout, "{}", entry.value)?,
            Ok(entry) => writeln!(stdout, "{}", line(&entry.value))?,
            Err(fault) => {
                anstream::eprintln!("error: the log is not whole: {fault}");
                code = REFUSED;
            }
        }
    }
    stdout.flush()?;
    Ok(code)
}

/// One record on one line: when, what, who, about which call. Every text of a record is escaped already.
fn line(record: &Value) -> String {
    let text = |member: &str| {
        record
            .get(member)
            .and_then(Value::as_str)
            .map(|text| visible(text, 200))
    };
    let number = |member: &str| record.get(member).and_then(Value::as_u64);
    let what = match text("kind").as_deref() {
        Some("decided") => text("decision"),
        Some("finished") => text("outcome"),
        other => other.map(str::to_owned),
    };
    let parts = [
        number("seq").map(|seq| format!("{seq:>6}")),
        text("time"),
        what.map(|what| format!("{what:<14}")),
        text("by").map(|by| format!("by {by}")),
        text("refusal").map(|code| format!("({code})")),
        text("summary"),
        number("decision_seq").map(|seq| format!("of {seq}")),
        text("reason").map(|reason| format!(": {reason}")),
        text("call").map(|call| format!("[{call}]")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}

#[derive(Serialize)]
struct Verdict<'a> {
    good: u64,
    whole: bool,
    torn: bool,
    fault: Option<Fault<'a>>,
    open_decisions: &'a [u64],
}

#[derive(Serialize)]
struct Fault<'a> {
    line: u64,
    what: &'a str,
}

fn check(place: &Path, json: bool) -> Result<u8, Failure> {
    let found = verify(place).map_err(|error| unreadable(place, &error))?;
    let mut stdout = anstream::stdout().lock();
    if json {
        let verdict = Verdict {
            good: found.good,
            whole: found.fault.is_none(),
            torn: found.torn,
            fault: found.fault.as_ref().map(|fault| Fault {
                line: fault.line,
                what: &fault.what,
            }),
            open_decisions: &found.open_decisions,
        };
        let line = serde_json::to_string(&verdict).map_err(std::io::Error::from)?;
        writeln!(stdout, "{line}")?;
    } else {
        write!(stdout, "{}", sentences(&found))?;
    }
    stdout.flush()?;
    Ok(match found.fault {
        None => DONE,
        Some(_) => REFUSED,
    })
}

fn sentences(found: &Verification) -> String {
    let mut text = match &found.fault {
        None => format!(
            "whole: {} records, every one follows from the one before\n",
            found.good
        ),
        Some(fault) => format!(
            "broken: {} records are good, then line {}: {}\n",
            found.good,
            fault.line,
            visible(&fault.what, 500)
        ),
    };
    if found.torn {
        text.push_str("torn: the last line has no end, as after a crash; it counts as not written\n");
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
