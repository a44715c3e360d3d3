//! What a subject is told to go by.

use std::collections::BTreeMap;

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
    /// Names of files and directories; only for a subject with `policy.names`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Names>,
    /// What programs do with their words; only for a subject with `policy.programs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub programs: Option<Vec<Program>>,
    /// How much of each tool is asked about; only for a subject with `policy.review`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<BTreeMap<String, Level>>,
}

/// Names that are asked about, whatever has them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Names {
    /// Before it is read or changed.
    pub ask: Vec<String>,
    /// Before it is changed.
    pub change: Vec<String>,
    /// Not for its name.
    pub spare: Vec<String>,
}

/// What a program does with its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the protocol's version fixes it")]
pub struct Program {
    /// How it is called, without folders.
    pub name: String,
    /// What it does with each operand, in order.
    #[serde(default)]
    pub operands: Vec<Deed>,
    /// Its options, and what it does with the word behind each.
    #[serde(default)]
    pub options: BTreeMap<String, Deed>,
}

/// What is done with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum Deed {
    /// The file of this name is read.
    Read,
    /// It is written.
    Write,
    /// The word names no file.
    Text,
    /// Of an option: no word belongs to it.
    Flag,
}

/// How much of a tool is asked about, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "the protocol's version fixes it")]
pub enum Level {
    /// What entries ask, and what a gate never leaves out.
    Off,
    /// Also what names ask.
    PrivateOnly,
    /// Also what no entry matches.
    OutsideOrPrivate,
    /// Every call.
    Always,
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
