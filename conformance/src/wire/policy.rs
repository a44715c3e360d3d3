//! What a subject is told to go by.

use serde::{Deserialize, Serialize};

use super::message::stated;

/// A policy with absolute places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Policy {
    /// `ask` or `deny`.
    pub otherwise: String,
    /// May run.
    pub allow: Vec<PolicyEntry>,
    /// Has to be asked.
    pub ask: Vec<PolicyEntry>,
    /// May not run.
    pub deny: Vec<PolicyEntry>,
}

/// One line of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct PolicyEntry {
    /// A tool, or `*`.
    pub tool: String,
    /// This object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// This directory and everything below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// First words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
}

/// What the user thinks of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Trust {
    /// One of the five words.
    pub workspace: String,
}

/// What the environment of one run says to the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Run {
    /// `ask` or `deny`: what holds for calls that no entry matches.
    #[serde(deserialize_with = "stated")]
    pub otherwise: Option<String>,
    /// Another configuration.
    #[serde(deserialize_with = "stated")]
    pub config: Option<Elsewhere>,
    /// Another log.
    #[serde(deserialize_with = "stated")]
    pub audit: Option<String>,
}

/// A configuration in another place than the session's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Elsewhere {
    /// An empty directory.
    pub at: String,
    /// What the files there say.
    pub policy: Policy,
}

/// Asks for the files of another policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Stage {
    /// The session.
    pub session: String,
    /// An empty directory, where they go.
    pub config: String,
    /// What they say.
    pub policy: Policy,
}
