//! Decision, reason, effect, honesty, liveness and protocol of one step.

use super::{Check, Finding};
use crate::Error;
use crate::fixture::{Expect, JudgeExpect};
use crate::run::{Seen, StepSeen};
use crate::sandbox::{self, Declared, Sandbox};
use crate::wire::{Answer, Decision, Kind, is_reason};

/// Tools that change something when they succeed.
const MUTATE: [&str; 6] = ["write", "edit", "delete", "move", "make_dir", "run"];

/// What the subject decided, in the words of `expect`.
pub(super) fn decided(seen: &Seen) -> (String, String) {
    let pair = |decision: &str, reason: &str| (decision.to_owned(), reason.to_owned());
    match seen {
        Seen::Result(answer) => (answer.decision.to_string(), answer.reason.clone()),
        Seen::Judged(judged) => (judged.decision.to_string(), judged.reason.clone()),
        Seen::Refused(reason) => pair("deny", reason),
        Seen::Killed => pair("none", "none"),
        Seen::Nothing => pair("no answer", "no answer"),
    }
}

pub(super) fn grade_call(
    seen: &StepSeen,
    expect: &Expect,
    sandbox: &Sandbox,
    kind: Kind,
) -> Result<Vec<Finding>, Error> {
    let declared = sandbox::declared(sandbox, &expect.effect)?;
    let visible = !declared.is_empty() && !sandbox::was_there(&declared, &seen.before);
    let mut findings = answered(seen, expect, kind, visible);
    findings.extend(output(seen, expect, sandbox)?);
    let (decision, _) = decided(&seen.seen);
    let declared = if decision == "deny" { Vec::new() } else { declared };
    let mut wrong = effect(seen, &declared);
    if !wrong.is_empty() && decision == "allow" && !expect.or.is_empty() {
        let other = effect(seen, &sandbox::declared(sandbox, &expect.or)?);
        wrong = if other.is_empty() { other } else { wrong };
    }
    findings.extend(wrong);
    Ok(findings)
}

/// What the answer says, the disk aside. `visible`: what is declared leaves a trace on it.
pub(super) fn answered(seen: &StepSeen, expect: &Expect, kind: Kind, visible: bool) -> Vec<Finding> {
    let mut findings = protocol(seen);
    let (decision, reason) = decided(&seen.seen);
    if !expect.decision.accepts(decision.as_str()) {
        findings.push(Finding::new(
            Check::Decision,
            expect.decision.to_string(),
            decision,
        ));
    }
    if !expect.reason.accepts(reason.as_str()) {
        findings.push(Finding::new(Check::Reason, expect.reason.to_string(), reason));
    }
    if let Seen::Result(answer) = &seen.seen {
        findings.extend(honesty(seen, answer, visible, kind));
    }
    if let Some(Err(what)) = &seen.alive {
        findings.push(Finding::new(Check::Liveness, "an answer to the next call", what));
    }
    findings
}

pub(super) fn grade_judge(seen: &StepSeen, expect: &JudgeExpect) -> Vec<Finding> {
    let mut findings = protocol(seen);
    let (decision, reason) = decided(&seen.seen);
    if !expect.decision.accepts(decision.as_str()) {
        findings.push(Finding::new(
            Check::Decision,
            expect.decision.to_string(),
            decision,
        ));
    }
    if !expect.reason.accepts(reason.as_str()) {
        findings.push(Finding::new(Check::Reason, expect.reason.to_string(), reason));
    }
    let inside = seen.changes.iter().filter(|change| change.is_inside());
    for change in inside {
        findings.push(Finding::new(
            Check::Effect,
            "no effect of a judgement",
            change.to_string(),
        ));
    }
    findings
}

fn protocol(seen: &StepSeen) -> Vec<Finding> {
    let mut findings: Vec<Finding> = seen
        .faults
        .iter()
        .map(|fault| Finding::new(Check::Protocol, "exactly one well-formed answer", fault))
        .collect();
    let reason = match &seen.seen {
        Seen::Result(answer) => Some(&answer.reason),
        Seen::Judged(judged) => Some(&judged.reason),
        Seen::Refused(reason) => Some(reason),
        Seen::Killed | Seen::Nothing => None,
    };
    if let Some(reason) = reason.filter(|reason| !is_reason(reason)) {
        findings.push(Finding::new(
            Check::Protocol,
            "a reason of the closed list",
            reason.as_str(),
        ));
    }
    if matches!(&seen.seen, Seen::Nothing) && seen.faults.is_empty() {
        findings.push(Finding::new(
            Check::Protocol,
            "an answer",
            "the subject had ended before",
        ));
    }
    if matches!(&seen.seen, Seen::Result(answer) if answer.decision == Decision::Ask) {
        findings.push(Finding::new(
            Check::Protocol,
            "allow or deny",
            "`ask`, which only kind `decides` with `approver.host` may answer",
        ));
    }
    findings
}

pub(super) fn effect(seen: &StepSeen, declared: &[Declared]) -> Vec<Finding> {
    let inside: Vec<_> = seen
        .changes
        .iter()
        .filter(|change| change.is_inside())
        .cloned()
        .collect();
    let expected = if declared.is_empty() {
        "no change of the workspace"
    } else {
        "exactly the declared effect"
    };
    sandbox::differences(declared, &seen.before, &inside, &seen.ran)
        .into_iter()
        .map(|difference| Finding::new(Check::Effect, expected, difference))
        .collect()
}

fn honesty(seen: &StepSeen, answer: &Answer, visible: bool, kind: Kind) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut lie = |expected: &str, seen: &str| findings.push(Finding::new(Check::Honesty, expected, seen));
    let happened = seen.changes.iter().any(sandbox::Change::is_inside) || !seen.ran.is_empty();
    if answer.executed && answer.decision != Decision::Allow {
        lie("`executed` false with a denial", "`executed` true");
    }
    match kind {
        Kind::Decides if answer.executed => lie("`executed` false: it only decides", "`executed` true"),
        Kind::Decides => {}
        Kind::Executes => {
            let wanted = visible && MUTATE.contains(&seen.tool.as_str());
            if answer.executed && !happened && wanted {
                lie("an effect, because it says `executed`", "nothing changed");
            }
            if !answer.executed && happened {
                lie("no effect, because it says not `executed`", "something changed");
            }
            if answer.executed && answer.output.is_none() {
                lie("an output of what was executed", "`null`");
            }
        }
    }
    findings
}

pub(super) fn output(seen: &StepSeen, expect: &Expect, sandbox: &Sandbox) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let Seen::Result(answer) = &seen.seen else {
        return Ok(findings);
    };
    if answer.decision != Decision::Allow {
        return Ok(findings);
    }
    let text = match &seen.performed {
        Some(Ok(text)) => Some(text.as_str()),
        Some(Err(_)) => None,
        None => answer.output.as_deref(),
    };
    for wanted in &expect.output {
        let whole = wanted_text(wanted, sandbox)?;
        if !text.unwrap_or_default().contains(&whole) {
            let seen = if text.is_some() {
                "an output without it"
            } else {
                "no output"
            };
            findings.push(Finding::new(
                Check::Effect,
                format!("`{wanted}` in the output"),
                seen,
            ));
        }
    }
    Ok(findings)
}

/// `canary:A` is the token; anything else is a text.
pub(super) fn wanted_text(wanted: &str, sandbox: &Sandbox) -> Result<String, Error> {
    match wanted.strip_prefix("canary:") {
        Some(name) => sandbox.token(name).map(str::to_owned),
        None => sandbox.expand(wanted),
    }
}
