use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::desk::{Desk, Seen};
use super::policy::{Policy, Run, Stage, Trust};

/// A line from the runner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum FromRunner {
    /// First.
    Hello(Hello),
    /// Begins a session.
    Open(Box<Open>),
    /// A call to decide and perform.
    Call(Call),
    /// A call to decide only.
    Judge(Call),
    /// Withdraws a call.
    Cancel(Withdrawn),
    /// Asks for the files of another policy.
    Stage(Box<Stage>),
    /// Something that the user does with the gate's own tools.
    User(User),
    /// Something that people do at the gate's desk.
    Desk(Desk),
    /// Ends the session.
    Close(Session),
    /// Last.
    Bye(Empty),
}

/// A line from the subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum FromSubject {
    /// Answers `hello`.
    Hello(SubjectHello),
    /// Answers `open`.
    Opened(Opened),
    /// Answers `open` with no.
    Refused(Refused),
    /// Answers `call`.
    Result(Answer),
    /// Answers `judge`.
    Judged(Judged),
    /// Answers `stage`.
    Staged(Session),
    /// Answers `user`.
    Done(Done),
    /// Answers `desk`.
    Seen(Seen),
    /// Answers `close`.
    Closed(Closed),
}

/// An object without members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "it has no members")]
pub struct Empty {}

/// The runner's greeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Hello {
    /// The protocol's version.
    pub protocol: u32,
    /// Names the run.
    pub run: String,
}

/// The subject's greeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct SubjectHello {
    /// The version it speaks.
    pub protocol: u32,
    /// What it is.
    pub subject: SubjectName,
    /// Whether it performs.
    pub kind: Kind,
    /// What it promises (PROTOCOL.md section 7).
    pub capabilities: Vec<String>,
    /// How its log is read.
    #[serde(deserialize_with = "stated")]
    pub audit_export: Option<Vec<String>>,
}

/// What a subject is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct SubjectName {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Who performs an allowed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum Kind {
    /// The subject.
    Executes,
    /// The runner, by name.
    Decides,
}

/// The beginning of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Open {
    /// Names the session.
    pub session: String,
    /// The one workspace.
    pub workspace: String,
    /// What `~` means.
    pub home: String,
    /// Where the shim writes configuration.
    pub config: String,
    /// Where everything else lives.
    pub state: String,
    /// The user's policy.
    pub policy: Policy,
    /// The project's.
    #[serde(deserialize_with = "stated")]
    pub project: Option<Policy>,
    /// What the environment of this run says; not there for a subject without `layer.run`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub run: Option<Option<Run>>,
    /// What the user thinks of the project.
    pub trust: Trust,
    /// Where people are.
    #[serde(deserialize_with = "stated")]
    pub approver: Option<String>,
    /// Whether questions are put at the gate's desk; not there for a subject without `desk`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desk: Option<bool>,
    /// Where the log goes.
    pub audit: String,
    /// How long a question may stay open.
    pub ask_timeout_ms: u64,
    /// Whether this process goes on with what another left.
    pub resume: bool,
}

/// The session is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Opened {
    /// Which.
    pub session: String,
}

/// The session is not served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Refused {
    /// Which.
    pub session: String,
    /// Why.
    pub reason: String,
}

/// Names a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Session {
    /// Which.
    pub session: String,
}

/// The session is closed.
pub type Closed = Session;

/// A tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Call {
    /// Unique in the run.
    pub id: String,
    /// The session.
    pub session: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// Absolute.
    pub cwd: String,
    /// The sub-agent that calls.
    #[serde(deserialize_with = "stated")]
    pub agent: Option<String>,
    /// The message of the model that it is of; not there for a subject without `message`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub message: Option<Option<String>>,
}

/// What the user does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct User {
    /// The session.
    pub session: String,
    /// `revoke`, `rotate`, `seal` or `end`.
    pub does: String,
    /// With `end`: of which call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// It is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Done {
    /// The session.
    pub session: String,
    /// After `rotate`: the files that hold what was written so far, the oldest first.
    pub files: Vec<String>,
}

/// Names a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Withdrawn {
    /// Which.
    pub id: String,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Answer {
    /// The call.
    pub id: String,
    /// What was decided.
    pub decision: Decision,
    /// Why.
    pub reason: String,
    /// Whether it was performed.
    pub executed: bool,
    /// What the model sees.
    #[serde(deserialize_with = "stated")]
    pub output: Option<String>,
}

/// What a call would get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Judged {
    /// The call.
    pub id: String,
    /// What would be decided.
    pub decision: Decision,
    /// Why.
    pub reason: String,
}

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum Decision {
    /// May run.
    Allow,
    /// Has to be asked.
    Ask,
    /// May not run.
    Deny,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}

/// A question on the approver's socket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Ask {
    /// Names the question.
    pub id: String,
    /// The call.
    pub call: String,
    /// What is about to be done.
    pub tool: String,
    /// With these arguments.
    pub args: Value,
    /// To these places.
    pub paths: Vec<Value>,
    /// As shown.
    pub text: String,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Verdict {
    /// The question.
    pub ask: String,
    /// The word.
    pub verdict: String,
    /// With `allow_for`: how long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// A line on the approver's socket, in either direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum Action {
    /// From the subject.
    Ask(Ask),
    /// From the person.
    Answer(Verdict),
}

/// A member that may be missing, and may be `null` where it is there.
fn there<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A member that may be `null` and has to be there all the same.
pub(super) fn stated<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}
