//! What an outcome does not repeat of its decision.

use std::collections::BTreeMap;

use crate::Entry;

/// Of a decision that permitted a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) tool: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) operations: Vec<String>,
}

/// Decisions whose outcome is still to come, by sequence number.
#[derive(Debug, Default)]
pub(super) struct Open(BTreeMap<u64, Known>);

/// Most of them that are remembered: those of hosts that tell no outcome stay for ever.
const MOST: usize = 10_000;

impl Open {
    /// What is known of a record's call: what it says itself, or for an outcome, what its decision said. Has to see every
    /// record, in order.
    pub(super) fn about(&mut self, entry: &Entry) -> Known {
        let decision = entry
            .value
            .get("decision_seq")
            .and_then(serde_json::Value::as_u64);
        if let Some(known) = decision.and_then(|decision| self.0.remove(&decision)) {
            return known;
        }
        let known = Known {
            tool: entry.text("tool").map(str::to_owned),
            agent: entry.text("agent").map(str::to_owned),
            operations: entry.list("operations").map(str::to_owned).collect(),
        };
        if entry.text("decision") == Some("permitted")
            && let Some(sequence) = entry.sequence()
        {
            self.0.insert(sequence, known.clone());
            if self.0.len() > MOST {
                self.0.pop_first();
            }
        }
        known
    }
}
