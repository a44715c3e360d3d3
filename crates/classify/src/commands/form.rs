//! The tables as they are written: `data/commands/README.md` explains every member.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Fact;

/// A program, or one of its sub-commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Entry {
    pub(super) names: Vec<String>,
    pub(super) flags: Vec<String>,
    pub(super) valued: Vec<String>,
    pub(super) optional: Vec<String>,
    pub(super) alone: Vec<String>,
    pub(super) until: Vec<String>,
    pub(super) options: BTreeMap<String, String>,
    pub(super) pairs: BTreeMap<String, String>,
    pub(super) keys: BTreeMap<String, String>,
    pub(super) operands: Option<Vec<String>>,
    pub(super) after: Option<Vec<String>>,
    pub(super) here: Option<String>,
    pub(super) does: Vec<Fact>,
    pub(super) bare: Vec<Fact>,
    pub(super) decided_by: Vec<String>,
    pub(super) when: Vec<When>,
    pub(super) sub: Vec<Self>,
    #[serde(rename = "as")]
    pub(super) program: Option<String>,
    pub(super) long: bool,
    pub(super) joined: bool,
    pub(super) stop: bool,
    pub(super) number: bool,
    pub(super) bundled: bool,
    pub(super) loose: bool,
    pub(super) global: bool,
    pub(super) moves: bool,
    pub(super) several: bool,
    pub(super) blank: Vec<String>,
}

/// What is different when some options are given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct When {
    pub(super) options: Vec<String>,
    pub(super) and: Vec<String>,
    pub(super) operands: Option<Vec<String>>,
    pub(super) after: Option<Vec<String>>,
    pub(super) here: Option<String>,
    pub(super) does: Option<Vec<Fact>>,
    pub(super) bare: Option<Vec<Fact>>,
    pub(super) also: Vec<Fact>,
}
