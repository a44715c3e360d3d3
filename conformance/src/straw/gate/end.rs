//! How a call ends: denied, or recorded and performed.

use std::path::Path;

use super::Gate;
use super::judge::Judgement;
use crate::os::disk;
use crate::os::perform as naive;
use crate::straw::perform::{Stop, perform};
use crate::straw::place::Place;
use crate::wire::{Answer, Call, Decision, Event};

impl Gate {
    fn record(&self, call: &Call, decision: &str, reason: &str, secret: &str, version: &str) -> bool {
        let tool = call.tool.trim_start_matches("raw:");
        let record = Event::Decided {
            call: call.id.clone(),
            session: self.open.session.clone(),
            tool: if self.lie.is("audit-leak") {
                format!("{tool} {} {secret}", call.args)
            } else {
                tool.to_owned()
            },
            decision: decision.to_owned(),
            reason: reason.to_owned(),
            policy: Some(self.named(version)),
        };
        self.log.append(&record, self.lie).is_ok() || self.lie.is("audit-optional")
    }

    pub(super) fn deny(&self, call: &Call, reason: &'static str, version: &str) -> Answer {
        let reason = if self.lie.is("wrong-reason") {
            "policy"
        } else {
            reason
        };
        if self.lie.is("act-anyway") {
            let _done = naive::perform(&call.tool, &call.args, Path::new(&call.cwd));
        }
        let secret = if self.lie.is("audit-leak") {
            naive::perform("read", &call.args, Path::new(&call.cwd)).unwrap_or_default()
        } else {
            String::new()
        };
        let recorded = self.lie.is("audit-gap") || self.record(call, "deny", reason, &secret, version);
        let reason = if recorded { reason } else { "fault" };
        let place = naive::place(&call.args, "path", Path::new(&call.cwd));
        let output = place
            .ok()
            .filter(|_| self.lie.is("tells-existence"))
            .map(|place| {
                let there = if disk::is_there(&place) {
                    "denied"
                } else {
                    "not found"
                };
                there.to_owned()
            });
        answer(call, Decision::Deny, reason, false, output)
    }

    pub(super) fn run(&self, call: &Call, judgement: &Judgement, reason: &str) -> Answer {
        let lie = self.lie;
        let places: Vec<Place> = judgement
            .operands
            .iter()
            .filter_map(|operand| operand.place.clone())
            .collect();
        if !lie.is("audit-after")
            && !lie.is("audit-leak")
            && !self.record(call, "allow", reason, "", &judgement.version)
        {
            return answer(call, Decision::Deny, "fault", false, None);
        }
        if lie.only_decides() {
            return answer(call, Decision::Allow, reason, false, None);
        }
        let by_name = ["check-then-open", "follow-links", "act-silently"]
            .iter()
            .any(|name| lie.is(name))
            || judgement.by_name
            || (judgement.tool == "load" && places.is_empty());
        let cwd = Path::new(&call.cwd);
        let done = if lie.is("claim-only") {
            Ok("done".to_owned())
        } else if by_name {
            naive::perform(&judgement.tool, &judgement.args, cwd).map_err(Stop::Failed)
        } else {
            perform(&judgement.tool, &judgement.args, &places, cwd, lie)
        };
        if lie.is("audit-after") || lie.is("audit-leak") {
            let text = done.as_ref().map_or("", String::as_str);
            self.record(call, "allow", reason, text, &judgement.version);
        }
        let outcome = match &done {
            Ok(_) => "done",
            Err(Stop::Failed(_)) => "failed",
            Err(Stop::Changed) => "changed",
        };
        if !lie.is("audit-no-end") {
            let finished = Event::Finished {
                call: call.id.clone(),
                session: self.open.session.clone(),
                outcome: outcome.to_owned(),
            };
            // The effect is done and cannot be taken back.
            let _recorded = self.log.append(&finished, self.lie);
        }
        match done {
            Ok(output) => answer(call, Decision::Allow, reason, true, Some(output)),
            Err(Stop::Failed(what)) => answer(call, Decision::Allow, reason, false, Some(what)),
            Err(Stop::Changed) => answer(call, Decision::Deny, "changed", false, None),
        }
    }
}

pub(super) fn answer(
    call: &Call,
    decision: Decision,
    reason: &str,
    executed: bool,
    output: Option<String>,
) -> Answer {
    Answer {
        id: call.id.clone(),
        decision,
        reason: reason.to_owned(),
        executed,
        output,
    }
}
