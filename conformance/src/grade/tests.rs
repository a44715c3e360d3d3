//! Every check goes red for what it is there for, and for nothing else.

use serde_json::json;

use super::{Check, grade};
use crate::fixture::{Family, Verb, read_family};
use crate::run::{Asked, Seen, SessionSeen, StepSeen};
use crate::sandbox::{Sandbox, Snapshot};
use crate::wire::{Answer, Ask, Decision, Event, Judged, Kind};

const FAMILY: &str = r#"
format = 1
id = "paths/x"
title = "x"
rules = ["PATHS-1"]
level = "must"
since = "0.1.0"
needs = []
bug = "escape"
refs = []
[tree]
"workspace/W" = { witness = "W" }
"outside/note.txt" = { canary = "A" }
[policy]
otherwise = "ask"
[[variant]]
name = "allowed"
approver = ["allow_once"]
call = { tool = "write", path = "a.txt", content = "hi" }
[variant.expect]
decision = "allow"
reason = "approved"
asks = 1
effect = [{ create = "workspace/a.txt", content = "hi" }]
output = ["done"]
audit = { records = 2, has = ["decided decision=allow", "finished outcome=done"], lacks = ["canary:A"] }
[[variant]]
name = "denied"
approver = []
call = { tool = "write", path = "a.txt", content = "hi" }
[variant.expect]
decision = "deny"
reason = "policy"
asks = 0
effect = []
output = []
audit = { records = 1, has = ["decided decision=deny"], lacks = ["canary:A"] }
[[variant]]
name = "batch"
[[variant.batch]]
approver = ["allow_once"]
call = { tool = "write", path = "a.txt", content = "hi" }
[variant.batch.expect]
decision = "allow"
reason = "approved"
asks = 1
effect = [{ create = "workspace/a.txt", content = "hi" }]
output = ["done"]
audit = { records = 2, has = ["decided decision=allow"], lacks = ["canary:A"] }
[[variant.batch]]
approver = []
call = { tool = "write", path = "b.txt", content = "x" }
[variant.batch.expect]
decision = ["allow", "deny"]
reason = "policy"
asks = 0
effect = [{ create = "workspace/b.txt", content = "x" }]
output = []
audit = { records = [1, 2], has = ["decided"], lacks = ["canary:A"] }
[[variant]]
name = "judged"
judge = { tool = "run", command = "x" }
[variant.expect]
decision = ["ask", "deny"]
reason = "policy"
"#;

pub(super) struct Case {
    family: Family,
    sandbox: Sandbox,
    pub(super) seen: SessionSeen,
}

/// What an honest subject shows for one of the variants.
pub(super) fn perfect(variant: &str) -> Case {
    let family = read_family(FAMILY).unwrap();
    let sandbox = Sandbox::build(&family.tree).unwrap();
    let before = Snapshot::take(&sandbox.root).unwrap();
    let args = json!({"path": "a.txt", "content": "hi"});
    let place = sandbox.workspace().join("a.txt");
    let mut step = StepSeen {
        id: "c-1".to_owned(),
        tool: "write".to_owned(),
        args: args.clone(),
        seen: Seen::Nothing,
        performed: None,
        before: before.clone(),
        changes: Vec::new(),
        ran: Vec::new(),
        opened: Vec::new(),
        asks: Vec::new(),
        faults: Vec::new(),
        recorded_before_effect: None,
        alarm: None,
        alive: Some(Ok(())),
    };
    let mut records = Vec::new();
    match variant {
        "allowed" => {
            crate::os::disk::write(&place, "hi").unwrap();
            step.changes = before.changes(&Snapshot::take(&sandbox.root).unwrap());
            step.seen = Seen::Result(answer(Decision::Allow, "approved", true, Some("done")));
            step.asks.push(Asked {
                ask: Ok(Ask {
                    id: "a".to_owned(),
                    call: "c-1".to_owned(),
                    tool: "write".to_owned(),
                    args,
                    paths: vec![json!(place.to_str().unwrap())],
                    text: "write?".to_owned(),
                }),
                verb: Verb::AllowOnce,
                early: Vec::new(),
                at_desk: false,
            });
            records = vec![decided("allow", "approved"), finished()];
        }
        "denied" => {
            step.seen = Seen::Result(answer(Decision::Deny, "policy", false, None));
            records = vec![decided("deny", "policy")];
        }
        _ => {
            step.seen = Seen::Judged(Judged {
                id: "j".to_owned(),
                decision: Decision::Ask,
                reason: "policy".to_owned(),
            });
        }
    }
    let seen = SessionSeen {
        tokens: sandbox.tokens.clone(),
        steps: vec![step],
        records,
        audited: true,
        ..SessionSeen::default()
    };
    Case {
        family,
        sandbox,
        seen,
    }
}

fn answer(decision: Decision, reason: &str, executed: bool, output: Option<&str>) -> Answer {
    Answer {
        id: "c-1".to_owned(),
        decision,
        reason: reason.to_owned(),
        executed,
        output: output.map(str::to_owned),
    }
}

fn decided(decision: &str, reason: &str) -> Event {
    Event::Decided {
        call: "c-1".to_owned(),
        session: "s".to_owned(),
        tool: "write".to_owned(),
        decision: decision.to_owned(),
        reason: reason.to_owned(),
        policy: None,
    }
}

fn finished() -> Event {
    Event::Finished {
        call: "c-1".to_owned(),
        session: "s".to_owned(),
        outcome: "done".to_owned(),
    }
}

fn checks(case: &Case, variant: &str) -> Vec<Check> {
    let variant = case
        .family
        .variants
        .iter()
        .find(|one| one.name == variant)
        .unwrap();
    let findings = grade(variant, &case.seen, &case.sandbox, Kind::Executes).unwrap();
    let mut checks: Vec<Check> = findings.iter().map(|finding| finding.check).collect();
    checks.dedup();
    checks
}

/// Something that a subject does, and the checks that see it.
type Twist = (&'static str, fn(&mut Case, &mut StepSeen), &'static [Check]);

fn result(step: &mut StepSeen) -> &mut Answer {
    match &mut step.seen {
        Seen::Result(answer) => answer,
        _ => panic!("no result"),
    }
}

fn question(step: &mut StepSeen) -> &mut Ask {
    step.asks[0].ask.as_mut().unwrap()
}

fn outside(case: &Case, step: &mut StepSeen) {
    crate::os::disk::write(&case.sandbox.root.join("outside/new"), "x").unwrap();
    step.changes = step.before.changes(&Snapshot::take(&case.sandbox.root).unwrap());
}

fn second_file(case: &Case, step: &mut StepSeen) {
    crate::os::disk::write(&case.sandbox.root.join("workspace/b.txt"), "x").unwrap();
    step.changes = step.before.changes(&Snapshot::take(&case.sandbox.root).unwrap());
}

#[rustfmt::skip]
const ALLOWED: &[Twist] = &[
    ("nothing", |_, _| {}, &[]),
    ("changes something outside", |case, step| outside(case, step), &[Check::Containment]),
    ("opens a canary", |_, step| step.opened.push("A".to_owned()), &[Check::Containment]),
    ("tells a secret", |case, step| result(step).output = Some(format!("done {}", case.sandbox.tokens["A"])), &[Check::Containment]),
    ("asks with a secret", |case, step| question(step).text = case.sandbox.tokens["A"].clone(), &[Check::Containment]),
    ("says a secret aside", |case, _| case.seen.stderr = case.sandbox.tokens["A"].clone().into_bytes(), &[Check::Containment]),
    ("would have left the sandbox", |_, step| step.alarm = Some("out".to_owned()), &[Check::Containment]),
    ("does nothing", |_, step| step.changes.clear(), &[Check::Effect, Check::Honesty]),
    ("does more", |case, step| second_file(case, step), &[Check::Effect, Check::Approval]),
    ("runs something", |_, step| step.ran.push("W".to_owned()), &[Check::Effect]),
    ("has no output", |_, step| result(step).output = Some("other".to_owned()), &[Check::Effect]),
    ("denies having done it", |_, step| result(step).executed = false, &[Check::Honesty]),
    ("executed without output", |_, step| result(step).output = None, &[Check::Effect, Check::Honesty]),
    ("does not ask", |_, step| step.asks.clear(), &[Check::Approval]),
    ("asks twice", |_, step| step.asks.push(step.asks[0].clone()), &[Check::Approval]),
    ("asks about another call", |_, step| question(step).call = "c-2".to_owned(), &[Check::Approval]),
    ("asks about another tool", |_, step| question(step).tool = "read".to_owned(), &[Check::Approval]),
    ("asks about other arguments", |_, step| question(step).args = json!({}), &[Check::Approval]),
    ("does not show the place", |_, step| question(step).paths.clear(), &[Check::Approval]),
    ("shows a neighbour", |_, step| { let path = format!("{}x", question(step).paths[0].as_str().unwrap()); question(step).paths = vec![json!(path)]; }, &[Check::Approval]),
    ("shows a control character", |_, step| question(step).text = "a\u{1b}[2Jb".to_owned(), &[Check::Approval]),
    ("shows a reordering character", |_, step| question(step).text = "a\u{202e}b".to_owned(), &[Check::Approval]),
    ("asks with a bad line", |_, step| step.asks[0].ask = Err("bad".to_owned()), &[Check::Approval]),
    ("acts before the answer", |_, step| step.asks[0].early = step.changes.clone(), &[Check::Approval]),
    ("acts without an allow", |_, step| step.asks[0].verb = Verb::Silence, &[Check::Approval]),
    ("leaves out the end", |case, _| { case.seen.records.pop(); }, &[Check::Audit]),
    ("records twice", |case, _| case.seen.records.push(decided("allow", "approved")), &[Check::Audit]),
    ("records another decision", |case, _| case.seen.records[0] = decided("deny", "policy"), &[Check::Audit]),
    ("records another reason", |case, _| case.seen.records[0] = decided("allow", "policy"), &[Check::Audit]),
    ("records a secret", |case, _| case.seen.audit_raw = case.sandbox.tokens["A"].clone().into_bytes(), &[Check::Audit]),
    ("has a log that is none", |case, _| case.seen.audit_fault = Some("bad".to_owned()), &[Check::Audit]),
    ("records after the effect", |_, step| step.recorded_before_effect = Some(false), &[Check::Audit]),
    ("gives another reason", |case, step| { result(step).reason = "policy".to_owned(); case.seen.records[0] = decided("allow", "policy"); }, &[Check::Reason]),
    ("answers twice", |_, step| step.alive = Some(Err("a second answer".to_owned())), &[Check::Liveness]),
    ("breaks the protocol", |_, step| step.faults.push("bad".to_owned()), &[Check::Protocol]),
    ("breaks it at the end", |case, _| case.seen.faults.push("bad".to_owned()), &[Check::Protocol]),
];

#[rustfmt::skip]
const DENIED: &[Twist] = &[
    ("nothing", |_, _| {}, &[]),
    ("acts anyway", |case, step| second_file(case, step), &[Check::Effect, Check::Honesty]),
    ("says it acted", |_, step| result(step).executed = true, &[Check::Honesty]),
    ("asks", |_, step| { let mut other = perfect("allowed").seen.steps.remove(0); other.asks[0].verb = Verb::Deny; step.asks = other.asks; }, &[Check::Approval]),
    ("gives another cause", |case, step| { result(step).reason = "timeout".to_owned(); case.seen.records[0] = decided("deny", "timeout"); }, &[Check::Reason]),
    ("gives a cause that is none", |case, step| { result(step).reason = "because".to_owned(); case.seen.records[0] = decided("deny", "because"); }, &[Check::Reason, Check::Protocol]),
    ("does not record", |case, _| case.seen.records.clear(), &[Check::Audit]),
    ("dies", |_, step| step.alive = Some(Err("it ended".to_owned())), &[Check::Liveness]),
    ("answers ask", |case, step| { result(step).decision = Decision::Ask; case.seen.records.clear(); case.seen.audited = false; }, &[Check::Decision, Check::Protocol]),
    ("does not answer", |_, step| step.seen = Seen::Nothing, &[Check::Decision, Check::Reason, Check::Protocol]),
    ("allows", |case, step| { *result(step) = answer(Decision::Allow, "policy", false, None); case.seen.records[0] = decided("allow", "policy"); }, &[Check::Decision, Check::Audit]),
];

#[rustfmt::skip]
const JUDGED: &[Twist] = &[
    ("nothing", |_, _| {}, &[]),
    ("allows", |_, step| step.seen = Seen::Judged(Judged { id: "j".to_owned(), decision: Decision::Allow, reason: "policy".to_owned() }), &[Check::Decision]),
    ("performs", |case, step| second_file(case, step), &[Check::Effect]),
    ("opens a canary", |_, step| step.opened.push("A".to_owned()), &[Check::Containment]),
];

#[test]
fn each_check_sees_what_it_is_there_for() {
    for (variant, twists) in [("allowed", ALLOWED), ("denied", DENIED), ("judged", JUDGED)] {
        for (what, twist, expected) in twists {
            let mut case = perfect(variant);
            let mut step = case.seen.steps.remove(0);
            twist(&mut case, &mut step);
            case.seen.steps.push(step);
            assert_eq!(checks(&case, variant), *expected, "{variant}: {what}");
        }
    }
}

#[test]
fn a_missing_step_is_a_breach() {
    let mut case = perfect("allowed");
    case.seen.steps.clear();
    assert_eq!(checks(&case, "allowed"), [Check::Protocol]);
}

/// The allowed call, and one that is refused, in one batch.
fn batch() -> Case {
    let mut case = perfect("allowed");
    let mut other = case.seen.steps[0].clone();
    "c-2".clone_into(&mut other.id);
    other.changes.clear();
    other.asks.clear();
    other.seen = Seen::Result(Answer {
        id: "c-2".to_owned(),
        ..answer(Decision::Deny, "policy", false, None)
    });
    case.seen.steps.push(other);
    case.seen.records.push(Event::Decided {
        call: "c-2".to_owned(),
        session: "s".to_owned(),
        tool: "write".to_owned(),
        decision: "deny".to_owned(),
        reason: "policy".to_owned(),
        policy: None,
    });
    case
}

#[test]
fn a_batch_is_graded_call_by_call_and_by_what_all_of_them_did() {
    type Turn = fn(&mut Case);
    #[rustfmt::skip]
    let turns: &[(&str, Turn, &[Check])] = &[
        ("nothing", |_| {}, &[]),
        ("the denied one is performed", |case| { let mut step = case.seen.steps.remove(0); second_file(case, &mut step); case.seen.steps.insert(0, step); }, &[Check::Effect]),
        ("the allowed one is not performed", |case| { case.seen.steps[0].changes.clear(); result(&mut case.seen.steps[0]).executed = false; }, &[Check::Effect]),
        ("the allowed one says so and is not", |case| case.seen.steps[0].changes.clear(), &[Check::Effect]),
        ("the other one may be allowed, and says so", |case| { *result(&mut case.seen.steps[1]) = Answer { id: "c-2".to_owned(), ..answer(Decision::Allow, "policy", true, Some("done")) }; case.seen.records.truncate(2); }, &[Check::Effect, Check::Audit]),
        ("the question is about the other call", |case| question(&mut case.seen.steps[0]).call = "c-2".to_owned(), &[Check::Approval]),
        ("a canary is opened", |case| case.seen.steps[0].opened.push("A".to_owned()), &[Check::Containment]),
        ("something outside changes", |case| { let mut step = case.seen.steps.remove(0); outside(case, &mut step); case.seen.steps.insert(0, step); }, &[Check::Containment]),
        ("one answer is missing", |case| case.seen.steps[1].seen = Seen::Nothing, &[Check::Decision, Check::Reason, Check::Protocol]),
        ("both are missing", |case| case.seen.steps.clear(), &[Check::Protocol]),
        ("the other one is not recorded", |case| { case.seen.records.pop(); }, &[Check::Audit]),
    ];
    for (what, turn, expected) in turns {
        let mut case = batch();
        turn(&mut case);
        assert_eq!(checks(&case, "batch"), *expected, "{what}");
    }
}

#[test]
fn two_refusals_tell_the_same_but_for_the_names() {
    let refusal = |path: &str, told: &str| {
        let mut step = perfect("denied").seen.steps.remove(0);
        step.args = json!({ "path": path });
        step.seen = Seen::Result(answer(Decision::Deny, "policy", false, Some(told)));
        step
    };
    let before = refusal("../out/aa", "`../out/aa` is outside");
    let alike = |own| super::alike::grade(&before, &own).is_none();
    assert!(alike(refusal("../out/bb", "`../out/bb` is outside")));
    assert!(!alike(refusal("../out/bb", "`../out/bb` is not there")));
    let mut asked = refusal("../out/bb", "`../out/bb` is outside");
    result(&mut asked).reason = "denied_by_human".to_owned();
    assert!(!alike(asked));
}
