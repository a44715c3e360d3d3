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

use jiff::Timestamp;
use serde::Serialize;

use crate::record::{Asked, CauseText, Decided, Decision, Event, Finished, Outcome, Subject};
use crate::{RecordHash, Redacted};

/// The format that is written, and the newest one that is understood.
pub(crate) const VERSION: u64 = 1;
/// Longest line in bytes, its line feed included.
pub(crate) const LONGEST: usize = 64 * 1024;

/// One line, ready to be written, and its hash.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) bytes: Vec<u8>,
    pub(crate) hash: RecordHash,
}

/// Writes an event as a line; `None` when it is longer than [`LONGEST`].
pub(crate) fn seal(sequence: u64, previous: RecordHash, time_ms: i64, event: &Event) -> Option<Sealed> {
    let mut line = Members::new();
    line.put("v", &VERSION)?;
    line.put("seq", &sequence)?;
    line.put("time", &time(time_ms))?;
    match event {
        Event::Asked(asked) => put_asked(&mut line, asked)?,
        Event::Decided(decided) => put_decided(&mut line, decided)?,
        Event::Finished(finished) => put_finished(&mut line, finished)?,
    }
    line.put("prev", &previous)?;
    let hash = RecordHash::of(&line.0);
    line.put("hash", &hash)?;
    line.0.extend_from_slice(b"}\n");
    (line.0.len() <= LONGEST).then_some(Sealed { bytes: line.0, hash })
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

/// RFC 3339 in UTC with milliseconds. A clock outside the years that can say is held at their ends: a record with
/// a strange time is worth more than none.
fn time(time_ms: i64) -> String {
    const YEAR_ZERO: i64 = -62_167_219_200_000;
    let time = Timestamp::from_millisecond(time_ms.max(YEAR_ZERO)).unwrap_or(Timestamp::MAX);
    format!("{time:.3}")
}

/// The members of one object in the order they are put.
struct Members(Vec<u8>);

impl Members {
    fn new() -> Self {
        Self(Vec::with_capacity(1024))
    }

    fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Option<()> {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
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
