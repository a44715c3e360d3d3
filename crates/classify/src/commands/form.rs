//! The tables as they are written: `data/commands/README.md` explains every member.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Fact;

/// A program, or one of its sub-commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
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
    pub(super) lenient: bool,
    pub(super) compiles: bool,
    pub(super) skips: usize,
    pub(super) least: usize,
    pub(super) global: bool,
    pub(super) moves: bool,
    pub(super) several: bool,
    pub(super) blank: Vec<String>,
    pub(super) matches: Vec<String>,
    pub(super) spares: Vec<String>,
}

impl Entry {
    /// Whether it says nothing but the names of sub-commands: what else is known of the program stays.
    pub(super) fn is_only_subs(&self) -> bool {
        let rest = Self {
            names: Vec::new(),
            sub: Vec::new(),
            matches: Vec::new(),
            spares: Vec::new(),
            ..self.clone()
        };
        !self.sub.is_empty() && rest == Self::default()
    }

    /// It, and every sub-command below it.
    pub(super) fn all(&self) -> Vec<&Self> {
        let below = self.sub.iter().flat_map(Self::all);
        [self].into_iter().chain(below).collect()
    }

    /// Puts the sub-commands of another entry in the place of those of the same names.
    pub(super) fn overlay(&mut self, other: &Self) {
        for sub in &other.sub {
            let shared = |one: &Self| one.names.iter().any(|name| sub.names.contains(name));
            let below = self
                .sub
                .iter_mut()
                .find(|one| shared(one) && one.program.is_none());
            match below {
                Some(below) if sub.is_only_subs() => below.overlay(sub),
                _ => {
                    for one in &mut self.sub {
                        one.names.retain(|name| !sub.names.contains(name));
                    }
                    self.sub.retain(|one| !one.names.is_empty());
                    self.sub.push(sub.clone());
                }
            }
        }
    }
}

/// What is different when some options are given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
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
