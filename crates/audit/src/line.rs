//! Format version 1 of a record, byte for byte.
//!
//! A line is one JSON object without spaces, its members in a fixed order, ended by one line feed:
//!
//! ```text
//! {"v":1,"seq":N,"time":"...","kind":"...",...,"prev":"<64 digits>","hash":"<64 digits>"}
//! ```
//!
//! `hash` is SHA-256 over the line's bytes from the first `{` up to, and without, `,"hash":`. `prev` is the `hash`
//! of the line before, and 64 zeros in the first line. `seq` counts from 1 without holes.

use std::io::Write as _;

use jiff::Timestamp;
use serde::Serialize;

use crate::chain::Link;
use crate::record::{Asked, CauseText, Decided, Decision, Event, Finished, Outcome, Subject};
use crate::{RecordHash, Redacted};

/// The format that is written, and the newest one that is understood.
pub(crate) const VERSION: u64 = 1;
/// Longest line in bytes, its line feed included.
pub(crate) const LONGEST: usize = 64 * 1024;

/// The kind of the record that carries the chain on in a new file.
pub(crate) const CONTINUED: &str = "continued";

/// A record without its place in the chain: what the threads that record can prepare each by itself.
#[derive(Debug)]
pub(crate) struct Body {
    time: String,
    members: Vec<u8>,
}

/// What stands in a line beside its body, at most: version, sequence number, the names of time and the two hashes.
const FRAME: usize = 256;

impl Body {
    /// Writes an event; `None` when no line can hold it.
    pub(crate) fn of(time_ms: i64, event: &Event) -> Option<Self> {
        let mut members = Members(Vec::with_capacity(1024));
        match event {
            Event::Asked(asked) => put_asked(&mut members, asked)?,
            Event::Decided(decided) => put_decided(&mut members, decided)?,
            Event::Finished(finished) => put_finished(&mut members, finished)?,
        }
        let body = Self {
            time: time(time_ms),
            members: members.0,
        };
        (body.members.len() + body.time.len() + FRAME <= LONGEST).then_some(body)
    }

    /// What the first line of a new file says: which record the chain comes from.
    pub(crate) fn continued(time_ms: i64, part: u64) -> Option<Self> {
        let mut members = Members(Vec::new());
        members.put("kind", CONTINUED)?;
        members.put("part", &part)?;
        Some(Self {
            time: time(time_ms),
            members: members.0,
        })
    }

    /// Appends the whole line, its line feed included, as the record after `after`.
    pub(crate) fn seal(&self, after: Link, lines: &mut Vec<u8>) -> Option<Link> {
        let start = lines.len();
        let sequence = after.sequence.checked_add(1)?;
        write!(
            lines,
            "{{\"v\":{VERSION},\"seq\":{sequence},\"time\":\"{}\"",
            self.time
        )
        .ok()?;
        lines.extend_from_slice(&self.members);
        write!(lines, ",\"prev\":\"{}\"", after.hash).ok()?;
        let hash = RecordHash::of(lines.get(start..)?);
        write!(lines, ",\"hash\":\"{hash}\"}}").ok()?;
        lines.push(b'\n');
        Some(Link { sequence, hash })
    }
}

fn put_asked(line: &mut Members, asked: &Asked) -> Option<()> {
    line.put("kind", "asked")?;
    put_subject(line, &asked.subject)?;
    put_end_of_subject(line, &asked.subject)?;
    line.put("deadline_ms", &asked.deadline_ms)
}

fn put_decided(line: &mut Members, decided: &Decided) -> Option<()> {
    line.put("kind", "decided")?;
    put_subject(line, &decided.subject)?;
    let (decision, refusal) = match decided.decision {
        Decision::Permitted => ("permitted", None),
        Decision::HandedToHost => ("handed_to_host", None),
        Decision::Refused { code } => ("refused", Some(Redacted::fixed(code))),
    };
    line.put("decision", decision)?;
    line.put("by", decided.by.word())?;
    line.put("refusal", &refusal)?;
    put_end_of_subject(line, &decided.subject)
}

fn put_finished(line: &mut Members, finished: &Finished) -> Option<()> {
    line.put("kind", "finished")?;
    line.put("session", &finished.session)?;
    line.put("call", &finished.call)?;
    line.put("decision_seq", &finished.decision)?;
    let (outcome, reason) = match &finished.outcome {
        Outcome::Done => ("done", None),
        Outcome::Failed { reason } => ("failed", Some(reason)),
        Outcome::Changed => ("changed", None),
        Outcome::Unused => ("unused", None),
    };
    line.put("outcome", outcome)?;
    line.put("reason", &reason)
}

fn put_subject(line: &mut Members, subject: &Subject) -> Option<()> {
    line.put("session", &subject.session)?;
    line.put("call", &subject.call)?;
    line.put("agent", &subject.agent)?;
    line.put("tool", &subject.tool)?;
    line.put("operations", &subject.operations)?;
    line.put("resources", &subject.resources)?;
    line.put("risk", subject.risk.word())?;
    line.put("causes", &subject.causes)
}

fn put_end_of_subject(line: &mut Members, subject: &Subject) -> Option<()> {
    line.put("policy", &subject.policy)?;
    line.put("args", &subject.arguments)?;
    line.put("summary", &subject.summary)
}

/// A moment as records write it: RFC 3339 in UTC with milliseconds.
#[must_use]
pub fn rfc3339(time_ms: i64) -> String {
    time(time_ms)
}

/// RFC 3339 in UTC with milliseconds. A clock outside the years that can say is held at their ends: a record with
/// a strange time is worth more than none.
pub(crate) fn time(time_ms: i64) -> String {
    const YEAR_ZERO: i64 = -62_167_219_200_000;
    let time = Timestamp::from_millisecond(time_ms.max(YEAR_ZERO)).unwrap_or(Timestamp::MAX);
    format!("{time:.3}")
}

/// Further members of one object in the order they are put.
struct Members(Vec<u8>);

impl Members {
    fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Option<()> {
        self.0.push(b',');
        serde_json::to_writer(&mut self.0, name).ok()?;
        self.0.push(b':');
        serde_json::to_writer(&mut self.0, value).ok()
    }
}

impl Serialize for CauseText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut cause = serializer.serialize_struct("CauseText", 2)?;
        cause.serialize_field("rule", &self.rule)?;
        cause.serialize_field("layer", &self.layer)?;
        cause.end()
    }
}
