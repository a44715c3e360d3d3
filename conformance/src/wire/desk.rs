use serde::{Deserialize, Serialize};

use super::message::stated;

/// What people do at a desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Desk {
    /// The session.
    pub session: String,
    /// What.
    pub does: DeskWord,
    /// Who.
    #[serde(deserialize_with = "stated")]
    pub person: Option<String>,
    /// The question.
    #[serde(deserialize_with = "stated")]
    pub ask: Option<String>,
    /// The answer, or how it breaks.
    #[serde(deserialize_with = "stated")]
    pub says: Option<String>,
}

/// The ways of doing something at a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum DeskWord {
    /// Sees what stands there.
    Look,
    /// Answers a question.
    Answer,
    /// Answers, and it breaks on its way.
    Garble,
    /// The desk is killed.
    Die,
    /// Something else listens in its place.
    Fake,
    /// Another one is started.
    Start,
}

/// What was seen at a desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Seen {
    /// The session.
    pub session: String,
    /// What stands there, after a look.
    pub questions: Vec<Standing>,
    /// Whether an answer was taken.
    #[serde(deserialize_with = "stated")]
    pub taken: Option<bool>,
}

/// A question that stands at a desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Standing {
    /// Names the question.
    pub ask: String,
    /// The call.
    pub call: String,
    /// As shown.
    pub text: String,
}
