//! Ends asking: after three questions in a row that nobody allowed, and about one thing after three refusals of it.

use std::collections::BTreeMap;

use super::{Gate, Judgement};
use crate::straw::Lie;
use crate::straw::ask::Reply;
use crate::straw::place::Place;
use crate::wire::Call;

/// So many are enough.
const ENOUGH: u32 = 3;

/// What is remembered of a session.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    in_a_row: u32,
    refused: BTreeMap<String, u32>,
    /// The message under way, once one of its calls was refused.
    message: Option<String>,
}

impl Breaker {
    pub(super) fn is_open(&self, intent: impl Fn() -> String, lie: Lie) -> bool {
        if self.refused.is_empty() {
            return false;
        }
        let same = self.refused.get(&intent()).copied().unwrap_or_default();
        let is_open = self.in_a_row >= ENOUGH || (same >= ENOUGH && !lie.is("breaker-forgets"));
        is_open && !lie.is("asks-for-ever")
    }

    /// Whether this says anything about what is wanted.
    pub(super) fn counts(&self, reply: Reply) -> bool {
        match reply {
            Reply::Cancelled => false,
            Reply::Once | Reply::Always | Reply::For(_) => !self.refused.is_empty(),
            Reply::Deny | Reply::Timeout | Reply::NoApprover => true,
        }
    }

    pub(super) fn note(&mut self, call: &Call, intent: String, reply: Reply, lie: Lie) {
        let message = call.message.clone().flatten();
        match reply {
            Reply::Cancelled => {}
            Reply::Once | Reply::Always | Reply::For(_) => {
                self.refused.remove(&intent);
                let is_counted = message.is_some() && message == self.message;
                if !is_counted {
                    self.in_a_row = 0;
                }
            }
            Reply::Deny | Reply::Timeout | Reply::NoApprover => {
                *self.refused.entry(intent).or_default() += 1;
                let is_counted = message.is_some() && message == self.message;
                if !is_counted || lie.is("breaker-by-call") {
                    self.in_a_row += 1;
                }
                self.message = message;
            }
        }
    }
}

impl Gate {
    /// What a call does to which places; a command is its text.
    pub(super) fn intent(&self, call: &Call, judgement: &Judgement) -> String {
        if self.lie.is("breaker-by-text") {
            return format!("{} {}", judgement.tool, judgement.args);
        }
        let does = match judgement.tool.as_str() {
            "edit" => "write",
            other => other,
        };
        let places = judgement
            .operands
            .iter()
            .filter_map(|operand| operand.place.as_ref());
        let places: Vec<String> = places.map(|place| format!("{:?}", Place::path(place))).collect();
        match places.is_empty() {
            true => format!("{does} {} {}", judgement.args, call.cwd),
            false => format!("{does} {}", places.join(" ")),
        }
    }
}
