//! What was seen of a variant.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::fixture::Verb;
use crate::sandbox::{Change, Snapshot};
use crate::wire::{Answer, Ask, Judged, Record};

/// One question.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The question, or why the line is none.
    pub(crate) ask: Result<Ask, String>,
    /// What was done with it.
    pub(crate) verb: Verb,
    /// What had changed on the disk before it was answered.
    pub(crate) early: Vec<Change>,
    /// It stood at the gate's desk, where places are not told one by one.
    pub(crate) at_desk: bool,
}

impl Asked {
    /// The id of a question that the runner asked in a host's place.
    pub(crate) const HOST: &str = "host";

    /// Whether the runner asked in a host's place.
    pub(crate) fn is_the_hosts(&self) -> bool {
        self.ask.as_ref().is_ok_and(|ask| ask.id == Self::HOST)
    }
}

/// What came of a call.
#[derive(Debug, Clone)]
pub(crate) enum Seen {
    /// A result.
    Result(Answer),
    /// A judgement.
    Judged(Judged),
    /// The session was refused, for this reason.
    Refused(String),
    /// Nothing, because the runner killed the subject.
    Killed,
    /// Nothing usable.
    Nothing,
}

/// What was seen of one call or judgement.
#[derive(Debug, Clone)]
pub(crate) struct StepSeen {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) args: Value,
    pub(crate) seen: Seen,
    /// For kind `decides`: what the runner did with it.
    pub(crate) performed: Option<Result<String, String>>,
    pub(crate) before: Snapshot,
    pub(crate) changes: Vec<Change>,
    pub(crate) ran: Vec<String>,
    pub(crate) opened: Vec<String>,
    pub(crate) asks: Vec<Asked>,
    /// Breaches of the protocol.
    pub(crate) faults: Vec<String>,
    /// For a held witness: whether the decision was recorded when it started.
    pub(crate) recorded_before_effect: Option<bool>,
    /// What the runner did for safety, or could not do.
    pub(crate) alarm: Option<String>,
    /// After a denial: whether the session still answers, or what it did instead.
    pub(crate) alive: Option<Result<(), String>>,
}

/// What was seen of a variant's session as a whole.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionSeen {
    pub(crate) steps: Vec<StepSeen>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) audit_raw: Vec<u8>,
    pub(crate) records: Vec<Record>,
    pub(crate) audit_fault: Option<String>,
    pub(crate) audited: bool,
    /// Its records name the version of the policy.
    pub(crate) versioned: bool,
    /// It tells which line of a log is the first that was altered.
    pub(crate) tells_where: bool,
    /// How many lines the log had before the first that the runner changed.
    pub(crate) good: Option<u64>,
    /// The runner changed the log: its records are no longer what the subject wrote.
    pub(crate) tampered: bool,
    /// Its host refuses calls that do not fit its tools, and the subject never hears of them.
    pub(crate) host_tools: bool,
    pub(crate) tokens: BTreeMap<String, String>,
    /// What was expected at the desk, and what was seen there in its place.
    pub(crate) desk: Vec<(String, String)>,
    /// The subject was made to record what did not happen.
    pub(crate) forged: bool,
    /// Breaches outside of any call.
    pub(crate) faults: Vec<String>,
}

impl SessionSeen {
    /// The decisions and reasons, step by step.
    pub(crate) fn summary(&self) -> String {
        let words: Vec<String> = self
            .steps
            .iter()
            .map(|step| match &step.seen {
                Seen::Result(answer) => format!("{} {}", answer.decision, answer.reason),
                Seen::Judged(judged) => format!("{} {}", judged.decision, judged.reason),
                Seen::Refused(reason) => format!("session refused {reason}"),
                Seen::Killed => "killed".to_owned(),
                Seen::Nothing => "no answer".to_owned(),
            })
            .collect();
        words.join(", ")
    }
}
