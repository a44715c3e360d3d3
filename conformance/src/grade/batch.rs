//! A batch: each call by itself, and what happened by all that were performed.

use super::{Check, Finding, approval, audit, containment, step};
use crate::Error;
use crate::fixture::{Batched, Expect};
use crate::run::{Seen, SessionSeen, StepSeen};
use crate::sandbox::{self, Sandbox};
use crate::wire::{Decision, Kind};

pub(super) fn grade(
    batch: &[Batched],
    steps: &[StepSeen],
    session: &SessionSeen,
    sandbox: &Sandbox,
    kind: Kind,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut declared = Vec::new();
    for (number, (Batched { expect, .. }, seen)) in (1..).zip(batch.iter().zip(steps)) {
        let alone = StepSeen {
            changes: Vec::new(),
            ran: Vec::new(),
            opened: Vec::new(),
            ..seen.clone()
        };
        let performed = was_performed(seen, kind);
        let mut own = step::answered(&alone, expect, kind, false);
        if performed {
            declared.extend(sandbox::declared(sandbox, &expect.effect)?);
        }
        if performed || has_to_be_performed(expect) {
            own.extend(step::output(&alone, expect, sandbox)?);
        }
        if has_to_be_performed(expect) && !performed && !expect.effect.is_empty() {
            own.push(Finding::new(Check::Effect, "an effect", "it was not performed"));
        }
        own.extend(approval::grade(&alone, expect, kind, &sandbox.root));
        own.extend(audit::grade(&alone, expect, session, sandbox, kind)?);
        own.extend(containment::grade(&alone, &expect.output, sandbox));
        for finding in &mut own {
            finding.seen = format!("call {number} of the batch: {}", finding.seen);
        }
        findings.extend(own);
    }
    if let Some(first) = steps.first() {
        findings.extend(step::effect(first, &declared));
        let told: Vec<String> = batch
            .iter()
            .flat_map(|one| one.expect.output.iter().cloned())
            .collect();
        let disk = StepSeen {
            seen: Seen::Nothing,
            asks: Vec::new(),
            alarm: None,
            ..first.clone()
        };
        findings.extend(containment::grade(&disk, &told, sandbox));
    }
    Ok(findings)
}

/// Where only an allow is accepted, the call is performed too, whatever else is in the batch.
fn has_to_be_performed(expect: &Expect) -> bool {
    expect.decision.accepts("allow") && !expect.decision.accepts("deny")
}

fn was_performed(seen: &StepSeen, kind: Kind) -> bool {
    match (&seen.seen, kind) {
        (Seen::Result(answer), Kind::Executes) => answer.decision == Decision::Allow && answer.executed,
        (Seen::Result(_), Kind::Decides) => matches!(seen.performed, Some(Ok(_))),
        _ => false,
    }
}
