//! What is decided before anybody is asked.

use std::path::Path;

use serde_json::Value;

use super::Gate;
use super::begin::is_trusted;
use crate::os::disk;
use crate::straw::arguments;
use crate::straw::rules::{Operand, Risk};
use crate::wire::{Call, Decision, Judged};

/// What was decided before anybody was asked.
pub(in crate::straw) struct Judgement {
    pub(super) tool: String,
    pub(super) args: Value,
    pub(in crate::straw) risk: Risk,
    pub(super) operands: Vec<Operand>,
    /// The version of the policy that judged it.
    pub(super) version: String,
    /// It is performed by name.
    pub(in crate::straw) by_name: bool,
}

impl Gate {
    /// The same, by what the policy's file says now.
    pub(in crate::straw) fn refreshed(&mut self, call: &Call) -> Result<Judgement, &'static str> {
        self.refresh().and_then(|()| self.judgement(call))
    }

    fn judgement(&self, call: &Call) -> Result<Judgement, &'static str> {
        let (tool, args) = arguments::check(call, self.lie)?;
        let cwd = Path::new(&call.cwd);
        let operands: Vec<Operand> = arguments::paths(&tool)
            .iter()
            .map(|name| Operand::new(&tool, &args, name, cwd, self.lie))
            .collect();
        if self.lie.is("peek") {
            for place in operands.iter().filter_map(|operand| operand.place.as_ref()) {
                let leaf = place.leaf.as_ref();
                if leaf.is_some_and(|leaf| leaf.kind == rustix::fs::FileType::RegularFile) {
                    let _peeked = disk::bytes_if_there(&place.path());
                }
            }
        }
        let judged = if self.lie.is("one-operand") {
            1
        } else {
            operands.len()
        };
        let places = operands
            .iter()
            .take(judged)
            .map(|operand| self.rules.place(&tool, operand));
        let mut risk = match tool.as_str() {
            "run" => self.rules.command(
                args.get("command").and_then(Value::as_str).unwrap_or_default(),
                cwd,
            ),
            "spawn" => self.spawn(args.get("input").unwrap_or(&Value::Null), &call.cwd),
            _ => places.max().unwrap_or(Risk::Deny),
        };
        let trusted = is_trusted(&self.open, self.lie);
        if tool == "load" && !trusted {
            risk = Risk::Deny;
        }
        if self.lie.is("trust-allows") && trusted {
            risk = Risk::Allow;
        }
        Ok(Judgement {
            tool,
            args,
            risk,
            operands,
            version: self.file.version(),
            by_name: false,
        })
    }
    /// Judges the working directories anywhere in a sub-agent's arguments.
    fn spawn(&self, input: &Value, cwd: &str) -> Risk {
        if self.lie.is("no-subagents") {
            return Risk::Allow;
        }
        let deepest = if self.lie.is("shallow-subagents") { 0 } else { 10 };
        let mut open = vec![(input, 0)];
        let mut risk = Risk::Allow;
        while let Some((value, depth)) = open.pop() {
            let below: Vec<&Value> = match value {
                Value::Object(object) => {
                    if let Some(found) = object.get("cwd") {
                        let fine = matches!(found, Value::Null)
                            || matches!(found, Value::String(text) if text.is_empty() || text == cwd);
                        risk = if fine { risk } else { risk.max(Risk::Ask) };
                    }
                    object.values().collect()
                }
                Value::Array(values) => values.iter().collect(),
                _ => continue,
            };
            if depth > 10 {
                return Risk::Deny;
            }
            if depth < deepest || depth == 10 {
                open.extend(below.into_iter().map(|value| (value, depth + 1)));
            }
        }
        risk
    }

    pub(in crate::straw) fn judge(&mut self, call: &Call) -> Judged {
        let (decision, reason) = match self.refreshed(call) {
            Err(reason) => (Decision::Deny, reason),
            Ok(judgement) => match judgement.risk {
                Risk::Allow => (Decision::Allow, "policy"),
                Risk::Ask => (Decision::Ask, "policy"),
                Risk::Deny => (Decision::Deny, "policy"),
            },
        };
        Judged {
            id: call.id.clone(),
            decision,
            reason: reason.to_owned(),
        }
    }
}
