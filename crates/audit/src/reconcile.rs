use std::collections::HashMap;
use std::path::Path;

use crate::{Entry, Error, Reader};

/// What became of every call that a log knows.
///
/// Every submitted call ends in exactly one of three ways: permitted and finished, permitted and unfinished, refused. A
/// call that was asked about and never decided did not run either: its process ended while it asked, or asks still.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reconciliation {
    /// Calls in all.
    pub submitted: u64,
    /// Permitted, and what came of it is recorded: done, failed, changed, unused.
    pub finished: Finishes,
    /// Permitted, and no outcome is recorded, by the sequence number of the decision: left to a host, cut off by a
    /// crash, or under way.
    pub unfinished: Vec<u64>,
    /// Left to the host's own question, whose answer nobody tells.
    pub handed_to_host: u64,
    /// Refused.
    pub refused: u64,
    /// Asked about and never decided, by the sequence number of the question.
    pub undecided: Vec<u64>,
    /// What cannot be: one sentence each, with the sequence number of the record.
    pub violations: Vec<String>,
}

/// How permitted calls ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "one number for each outcome: a new one must break the build"
)]
pub struct Finishes {
    /// Done as approved.
    pub done: u64,
    /// Tried, and failed.
    pub failed: u64,
    /// Not started, because something had changed.
    pub changed: u64,
    /// Not started, because the permit was not used.
    pub unused: u64,
}

impl Finishes {
    /// All of them.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.done + self.failed + self.changed + self.unused
    }
}

/// Holds decisions and outcomes of a whole log against each other. Needs memory for every permission.
///
/// # Errors
/// `Place`, `Io`.
pub fn reconcile(path: &Path) -> Result<Reconciliation, Error> {
    let mut books = Books::default();
    for entry in Reader::open(path)? {
        match entry {
            Ok(entry) => books.enter(&entry),
            Err(fault) => books.wrong(format!("the log is not whole: {fault}")),
        }
    }
    Ok(books.close())
}

/// What tells one call from another as long as it is open.
type Call = (Option<String>, String, String);

#[derive(Debug)]
enum Permission {
    Open(String),
    Closed,
}

#[derive(Debug, Default)]
struct Books {
    sum: Reconciliation,
    asked: HashMap<Call, Vec<u64>>,
    permitted: HashMap<u64, Permission>,
}

impl Books {
    fn enter(&mut self, entry: &Entry) {
        let sequence = entry.sequence().unwrap_or_default();
        match entry.text("kind") {
            Some("asked") => match call(entry) {
                Some(call) => self.asked.entry(call).or_default().push(sequence),
                None => self.wrong(format!("record {sequence} asks about no call")),
            },
            Some("decided") => self.decide(entry, sequence),
            Some("finished") => self.finish(entry, sequence),
            _ => {}
        }
    }

    fn decide(&mut self, entry: &Entry, sequence: u64) {
        self.sum.submitted += 1;
        let Some(call) = call(entry) else {
            return self.wrong(format!("record {sequence} decides on no call"));
        };
        // The earliest question about the same call; most calls are decided without one.
        if let Some(questions) = self.asked.get_mut(&call) {
            questions.remove(0);
            if questions.is_empty() {
                self.asked.remove(&call);
            }
        }
        match entry.text("decision") {
            Some("permitted") => {
                self.permitted.insert(sequence, Permission::Open(call.1));
            }
            Some("handed_to_host") => self.sum.handed_to_host += 1,
            Some("refused") if entry.text("refusal").is_some() => self.sum.refused += 1,
            _ => self.wrong(format!("record {sequence} decides neither yes nor no")),
        }
    }

    fn finish(&mut self, entry: &Entry, sequence: u64) {
        let decision = entry
            .value
            .get("decision_seq")
            .and_then(serde_json::Value::as_u64);
        let Some(decision) = decision else {
            return self.wrong(format!("record {sequence} ends no decision"));
        };
        let number = match entry.text("outcome") {
            Some("done") => &mut self.sum.finished.done,
            Some("failed") => &mut self.sum.finished.failed,
            Some("changed") => &mut self.sum.finished.changed,
            Some("unused") => &mut self.sum.finished.unused,
            _ => return self.wrong(format!("record {sequence} has no outcome")),
        };
        match self.permitted.insert(decision, Permission::Closed) {
            Some(Permission::Open(call)) if Some(call.as_str()) == entry.text("call") => *number += 1,
            Some(Permission::Open(_)) => {
                self.wrong(format!(
                    "record {sequence} ends decision {decision} for another call"
                ));
            }
            Some(Permission::Closed) => {
                self.wrong(format!(
                    "record {sequence} ends decision {decision} a second time"
                ));
            }
            None => {
                self.permitted.remove(&decision);
                self.wrong(format!(
                    "record {sequence} ends decision {decision}, which permitted nothing"
                ));
            }
        }
    }

    fn wrong(&mut self, what: String) {
        self.sum.violations.push(what);
    }

    fn close(mut self) -> Reconciliation {
        let open = self.permitted.into_iter();
        let open = open.filter(|(_, permission)| matches!(permission, Permission::Open(_)));
        self.sum.unfinished = open.map(|(sequence, _)| sequence).collect();
        self.sum.unfinished.sort_unstable();
        self.sum.undecided = self.asked.into_values().flatten().collect();
        self.sum.undecided.sort_unstable();
        self.sum.submitted += u64::try_from(self.sum.undecided.len()).unwrap_or(u64::MAX);
        self.sum
    }
}

fn call(entry: &Entry) -> Option<Call> {
    let session = entry.text("session").map(str::to_owned);
    Some((
        session,
        entry.text("call")?.to_owned(),
        entry.text("args")?.to_owned(),
    ))
}
