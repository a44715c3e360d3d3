use std::fmt;

use serde_json::Value;

use crate::redact::escape;

/// One record as read back.
///
/// [`Display`](fmt::Display) shows it as one line for a person: time, sequence number, what was decided, tool,
/// operations, resources, who decided, and why not. Everything in it is escaped, whoever wrote the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Line number, from 1.
    pub line: u64,
    /// The parsed record.
    pub value: Value,
}

/// Resources that are shown by name; further ones are counted.
const SHOWN: usize = 3;

impl Entry {
    /// The record's sequence number.
    #[must_use]
    pub fn sequence(&self) -> Option<u64> {
        self.value.get("seq")?.as_u64()
    }

    /// A member that is text, as it stands in the record: not escaped.
    #[must_use]
    pub fn text(&self, member: &str) -> Option<&str> {
        self.value.get(member)?.as_str()
    }

    /// What happened, in one word.
    pub(crate) fn word(&self) -> Option<&str> {
        match self.text("kind")? {
            "decided" => self.text("decision"),
            "finished" => self.text("outcome"),
            other => Some(other),
        }
    }

    /// The record's time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn time_ms(&self) -> Option<i64> {
        let time: jiff::Timestamp = self.text("time")?.parse().ok()?;
        Some(time.as_millisecond())
    }

    /// The rules that decided.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &str> {
        let causes = self.value.get("causes").and_then(Value::as_array);
        let rules = causes.into_iter().flatten();
        rules.filter_map(|cause| cause.get("rule").and_then(Value::as_str))
    }

    pub(crate) fn list(&self, member: &str) -> impl Iterator<Item = &str> {
        self.value
            .get(member)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Plain(self.text("time").unwrap_or("-")))?;
        match self.sequence() {
            Some(sequence) => write!(f, " {sequence:>5}")?,
            None => write!(f, " {:>5}", "-")?,
        }
        let word = Plain(self.word().unwrap_or("-")).to_string();
        write!(f, " {word:<14}")?;
        if let Some(tool) = self.text("tool") {
            write!(f, " {}", Plain(tool))?;
        }
        for (at, operation) in self.list("operations").enumerate() {
            write!(f, "{}{}", if at == 0 { " " } else { "," }, Plain(operation))?;
        }
        for resource in self.list("resources").take(SHOWN) {
            write!(f, " {}", Plain(resource))?;
        }
        let more = self.list("resources").skip(SHOWN).count();
        if more > 0 {
            write!(f, " and {more} more")?;
        }
        if let Some(by) = self.text("by") {
            write!(f, " by {}", Plain(by))?;
        }
        if let Some(refusal) = self.text("refusal") {
            write!(f, " because {}", Plain(refusal))?;
        }
        if let Some(decision) = self.value.get("decision_seq").and_then(Value::as_u64) {
            write!(f, " after {decision}")?;
        }
        if let Some(reason) = self.text("reason") {
            write!(f, " because {}", Plain(reason))?;
        }
        if let Some(call) = self.text("call") {
            write!(f, " (call {})", Plain(call))?;
        }
        Ok(())
    }
}

/// Text from a file, safe to print.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(self.0.as_bytes()))
    }
}
