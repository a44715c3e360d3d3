//! The records.

use super::step::wanted_text;
use super::{Check, Finding};
use crate::Error;
use crate::fixture::Expect;
use crate::run::{Asked, Seen, SessionSeen, StepSeen};
use crate::sandbox::Sandbox;
use crate::wire::{Decision, Kind, Record};

pub(super) fn grade(
    step: &StepSeen,
    expect: &Expect,
    session: &SessionSeen,
    sandbox: &Sandbox,
    kind: Kind,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut fault =
        |expected: String, seen: String| findings.push(Finding::new(Check::Audit, expected, seen));
    if step.recorded_before_effect == Some(false) && session.audited {
        fault(
            "a record of the decision before the effect".to_owned(),
            "none when the effect had started".to_owned(),
        );
    }
    if !session.audited || matches!(step.seen, Seen::Nothing | Seen::Refused(_)) {
        return Ok(findings);
    }
    if let Some(what) = &session.audit_fault {
        fault("records that can be read".to_owned(), what.clone());
        return Ok(findings);
    }
    if session.tampered {
        let chain: Vec<&Record> = session
            .records
            .iter()
            .filter(|record| record.call().is_none())
            .collect();
        for condition in expect
            .audit
            .has
            .iter()
            .filter(|condition| condition.starts_with("chain") || condition.starts_with("books"))
        {
            if !chain.iter().any(|record| record.meets(condition)) {
                fault(format!("a record with `{condition}`"), shown(&chain));
            }
        }
        let says = |good: u64| move |record: &&Record| matches!(record, Record::Chain { good: Some(said), .. } if *said == good);
        let is_held = session.tells_where
            && expect
                .audit
                .has
                .iter()
                .any(|condition| condition == "chain intact=false");
        if let Some(good) = session.good.filter(|_| is_held)
            && !chain.iter().copied().any(|record| says(good)(&record))
        {
            fault(format!("a chain of which {good} lines are good"), shown(&chain));
        }
        return lacks(expect, session, sandbox, findings);
    }
    // The host's answer to a hook's `ask` is the host's to record, and so is what it brings before no hook.
    let by_host = |reason: &str| session.host_tools && ["unknown_tool", "bad_arguments"].contains(&reason);
    let unheard = matches!(&step.seen, Seen::Result(answer) if by_host(&answer.reason));
    if unheard || step.asks.iter().any(Asked::is_the_hosts) {
        return lacks(expect, session, sandbox, findings);
    }
    let records: Vec<&Record> = session
        .records
        .iter()
        .filter(|record| record.call() == Some(step.id.as_str()))
        .collect();
    let count = records.iter().filter(|record| record.counts()).count();
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    // What only decides never learns how it ended, and a change after the decision may be told in two ways.
    let also = match &step.seen {
        Seen::Result(answer) if kind == Kind::Decides && answer.decision == Decision::Allow => count == 1,
        Seen::Result(answer) if answer.reason == "changed" => count == 2,
        _ => false,
    };
    if !expect.audit.records.accepts(&count) && !also {
        fault(
            format!("{} records of the call", expect.audit.records),
            count.to_string(),
        );
    }
    // Which of two acceptable counts it is, is the decision's: what was allowed and ended has an end.
    let either = expect.audit.records.accepts(&1) && expect.audit.records.accepts(&2);
    if let (Seen::Result(answer), Kind::Executes, true) = (&step.seen, kind, either) {
        let wanted = if answer.decision == Decision::Allow { 2 } else { 1 };
        if count < wanted && !also {
            fault(format!("{wanted} records of the call"), count.to_string());
        }
    }
    for condition in &expect.audit.has {
        let chain = session.records.iter().filter(|record| record.call().is_none());
        let skipped = kind == Kind::Decides && condition.starts_with("finished");
        if !skipped
            && !records
                .iter()
                .copied()
                .chain(chain)
                .any(|record| record.meets(condition))
        {
            fault(format!("a record with `{condition}`"), shown(&records));
        }
    }
    if let Seen::Result(answer) = &step.seen {
        told(answer.decision, &answer.reason, &records, &mut fault);
    }
    lacks(expect, session, sandbox, findings)
}

/// The raw log holds no secret.
fn lacks(
    expect: &Expect,
    session: &SessionSeen,
    sandbox: &Sandbox,
    mut findings: Vec<Finding>,
) -> Result<Vec<Finding>, Error> {
    let raw = String::from_utf8_lossy(&session.audit_raw);
    for lacked in &expect.audit.lacks {
        if raw.contains(&wanted_text(lacked, sandbox)?) {
            let expected = format!("a log without `{lacked}`");
            findings.push(Finding::new(Check::Audit, expected, "the log holds it"));
        }
    }
    Ok(findings)
}

/// The log says what the model was told.
fn told(decision: Decision, reason: &str, records: &[&Record], fault: &mut impl FnMut(String, String)) {
    for record in records {
        let Record::Decided {
            decision: recorded,
            reason: why,
            ..
        } = record
        else {
            continue;
        };
        let later = reason == "changed" && recorded == "allow";
        if !later && (*recorded != decision.to_string() || why != reason) {
            fault(
                format!("the record of `{decision}`, `{reason}`"),
                format!("`{recorded}`, `{why}`"),
            );
        }
    }
}

fn shown(records: &[&Record]) -> String {
    let lines: Vec<String> = records
        .iter()
        .map(|record| serde_json::to_string(record).unwrap_or_default())
        .collect();
    if lines.is_empty() {
        "no such record".to_owned()
    } else {
        lines.join(" ")
    }
}
