//! The messages of the process protocol, version 1.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The protocol's version that is spoken here.
pub(super) const VERSION: u32 = 1;

/// Longest line in bytes, its line feed included.
pub(super) const LONGEST: usize = 1 << 20;

/// A line from the runner.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    Hello(Hello),
    Open(Box<Open>),
    Call(Call),
    Judge(Call),
    Cancel(Withdrawn),
    Stage(Box<Stage>),
    User(User),
    Desk(AtDesk),
    Close(Named),
    Bye(Nothing),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    pub(super) protocol: u32,
    #[serde(rename = "run")]
    _run: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Open {
    pub(super) session: String,
    pub(super) workspace: PathBuf,
    pub(super) home: PathBuf,
    pub(super) config: PathBuf,
    pub(super) state: PathBuf,
    pub(super) policy: Policy,
    pub(super) project: Option<Policy>,
    #[serde(default)]
    pub(super) run: Option<Run>,
    pub(super) trust: Trust,
    pub(super) approver: Option<PathBuf>,
    #[serde(default)]
    pub(super) desk: bool,
    pub(super) audit: PathBuf,
    pub(super) ask_timeout_ms: u64,
    pub(super) resume: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Policy {
    pub(super) otherwise: Otherwise,
    pub(super) allow: Vec<Entry>,
    pub(super) ask: Vec<Entry>,
    pub(super) deny: Vec<Entry>,
    #[serde(default)]
    pub(super) names: Names,
    #[serde(default)]
    pub(super) programs: Vec<Program>,
    #[serde(default)]
    pub(super) review: BTreeMap<String, String>,
}

/// Names of files and directories that are asked about.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) ask: Vec<String>,
    pub(super) change: Vec<String>,
    pub(super) spare: Vec<String>,
}

/// What a program does with its words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    pub(super) name: String,
    pub(super) operands: Vec<String>,
    pub(super) options: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Otherwise {
    Ask,
    Deny,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) tool: String,
    pub(super) path: Option<String>,
    pub(super) under: Option<String>,
    pub(super) command: Option<Vec<String>>,
}

/// What the environment of this run says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    pub(super) otherwise: Option<Otherwise>,
    pub(super) config: Option<Elsewhere>,
    pub(super) audit: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Elsewhere {
    pub(super) at: PathBuf,
    pub(super) policy: Policy,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    pub(super) session: String,
    pub(super) config: PathBuf,
    pub(super) policy: Policy,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trust {
    pub(super) workspace: TrustWord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TrustWord {
    Trusted,
    Untrusted,
    Undecided,
    Revoked,
    Tampered,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) session: String,
    pub(super) tool: String,
    pub(super) args: Value,
    pub(super) cwd: String,
    pub(super) agent: Option<String>,
    #[serde(default)]
    pub(super) message: Option<String>,
}

/// What the user does with the gate's own tools.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct User {
    pub(super) session: String,
    pub(super) does: Errand,
    /// With `end`: of which call.
    #[serde(default)]
    pub(super) call: Option<String>,
}

/// What people do at the gate's desk.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AtDesk {
    pub(super) session: String,
    pub(super) does: DeskWord,
    pub(super) person: Option<Person>,
    pub(super) ask: Option<String>,
    pub(super) says: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeskWord {
    Look,
    Answer,
    Garble,
    Die,
    Fake,
    Start,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Person {
    One,
    Other,
    Stranger,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Errand {
    Revoke,
    Rotate,
    Seal,
    End,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Withdrawn {
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) session: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// A line to the runner.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Response<'a> {
    Hello(Greeting<'a>),
    Opened {
        session: &'a str,
    },
    Refused {
        session: &'a str,
        reason: &'static str,
    },
    Result(Outcome<'a>),
    Judged(Judged<'a>),
    Staged {
        session: &'a str,
    },
    Done {
        session: &'a str,
        files: Vec<Value>,
    },
    Seen {
        session: &'a str,
        #[serde(flatten)]
        seen: Seen,
    },
    Closed {
        session: &'a str,
    },
}

/// What was seen at the desk.
#[derive(Debug, Default, Serialize)]
pub(super) struct Seen {
    pub(super) questions: Vec<Standing>,
    pub(super) taken: Option<bool>,
}

/// A question that stands there.
#[derive(Debug, Serialize)]
pub(super) struct Standing {
    pub(super) ask: String,
    pub(super) call: String,
    pub(super) text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Greeting<'a> {
    pub(super) protocol: u32,
    pub(super) subject: Name,
    pub(super) kind: &'static str,
    pub(super) capabilities: &'a [&'a str],
    pub(super) audit_export: [&'a str; 3],
}

#[derive(Debug, Serialize)]
pub(super) struct Name {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

/// What became of a call.
#[derive(Debug, Serialize)]
pub(super) struct Outcome<'a> {
    pub(super) id: &'a str,
    pub(super) decision: &'static str,
    pub(super) reason: &'static str,
    pub(super) executed: bool,
    pub(super) output: Option<String>,
}

/// What a call would get.
#[derive(Debug, Serialize)]
pub(super) struct Judged<'a> {
    pub(super) id: &'a str,
    pub(super) decision: &'static str,
    pub(super) reason: &'static str,
}
