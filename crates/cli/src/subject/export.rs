//! The log in neutral records.

use std::io::Write as _;
use std::path::Path;

use portcullis::Record;
use portcullis::audit::{Checkpoint, Reader, reconcile, verify_against};
use serde_json::{Value, json};

use super::{errand, hook, words};
use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;

/// Prints the log, as far as its chain holds, whether decisions and ends add up, and whether it holds to the end and is what
/// was sealed.
pub(crate) fn export(log: &Path) -> Result<u8, Failure> {
    let mut stdout = anstream::stdout().lock();
    let mut session = String::new();
    match Reader::open(log) {
        Ok(reader) => {
            for record in reader.map_while(Result::ok) {
                if let Some(line) = neutral(&record, &mut session) {
                    writeln!(stdout, "{line}")?;
                }
            }
        }
        Err(error) => anstream::eprintln!("note: the log {} cannot be read: {error}", files::shown(log)),
    }
    // As `portcullis log verify` has it: a log that lacks its beginning is not whole. Nothing is good of one that cannot be
    // looked at.
    let found = seals(log).and_then(|seals| verify_against(log, &seals).ok());
    let found = found.filter(|found| found.first == 1);
    let intact = found.as_ref().is_some_and(|found| found.fault.is_none());
    let good = found.map_or(0, |found| found.good);
    let balanced = reconcile(log).is_ok_and(|books| books.violations.is_empty());
    writeln!(stdout, "{}", json!({"event": "books", "balanced": balanced}))?;
    writeln!(
        stdout,
        "{}",
        json!({"event": "chain", "intact": intact, "good": good})
    )?;
    stdout.flush()?;
    Ok(DONE)
}

/// The seals that were kept elsewhere; none when one of them is no seal.
fn seals(log: &Path) -> Option<Vec<Checkpoint>> {
    let seals = errand::seals(log);
    if !files::is_there(&seals) {
        return Some(Vec::new());
    }
    let bytes = files::read_input_of(&seals, "it is made by `seal`").ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.lines().map(|line| Checkpoint::read(line).ok()).collect()
}

/// Who let a call run without a question, as the log has it: `approved` when a person did earlier.
pub(super) fn allowed_by(log: &Path, call: &str) -> &'static str {
    let decided = Reader::open(log).ok().and_then(|reader| {
        reader
            .map_while(Result::ok)
            .filter(|record| record.text("kind") == Some("decided") && record.text("call") == Some(call))
            .last()
    });
    decided.map_or("policy", |record| reason(&record).unwrap_or("policy"))
}

/// One record, when the protocol has a word for it. A log is one session's; what could not be read as a call does
/// not name it, and is of the session that stands before it.
fn neutral(record: &Record, session: &mut String) -> Option<Value> {
    if let Some(named) = record.text("session") {
        named.clone_into(session);
    }
    let call = record.text("call")?;
    // In a hook's log stand the names of its host.
    let tool = record.text("tool").map(words::neutral).map(hook::neutral);
    match record.text("kind")? {
        "asked" => Some(json!({"event": "asked", "call": call, "session": session, "tool": tool?})),
        // The host asks, and learns the answer alone.
        "decided" if record.text("decision")? == "handed_to_host" => None,
        "decided" => {
            let decision = match record.text("decision")? {
                "permitted" => "allow",
                _ => "deny",
            };
            let reason = reason(record).or_else(|| record.text("refusal"))?;
            Some(json!({
                "event": "decided", "call": call, "session": session, "tool": tool?,
                "decision": decision, "reason": reason, "policy": record.text("policy")?,
            }))
        }
        "finished" => {
            let outcome = record.text("outcome")?;
            Some(json!({"event": "finished", "call": call, "session": session, "outcome": outcome}))
        }
        _ => None,
    }
}

/// The reason of an allow.
fn reason(record: &Record) -> Option<&'static str> {
    match (record.text("decision")?, record.text("by")?) {
        ("permitted", "policy") => Some("policy"),
        ("permitted", _) => Some("approved"),
        _ => None,
    }
}
