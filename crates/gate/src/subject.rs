//! What the records of one call say about it.

use portcullis_audit::{CauseText, Redacted, RiskWord, Subject};
use portcullis_classify::{Assessment, Call, Cause, Effect, EffectKind, Risk};

use crate::shared::{Shared, Version};

/// The subject of a call that is not judged yet: what cannot be judged is not allowed, so its risk is `deny`.
pub(crate) fn unjudged(shared: &Shared, version: &Version, call: &Call) -> Subject {
    Subject {
        session: call.session().map(Redacted::id),
        call: Redacted::id(call.id()),
        agent: call.agent().map(Redacted::id),
        tool: Redacted::text(call.tool()),
        operations: Vec::new(),
        resources: Vec::new(),
        risk: RiskWord::Deny,
        causes: Vec::new(),
        policy: Redacted::id(version.judge.policy()),
        arguments: shared.ledger.digest(&call.canonical_arguments()),
        summary: Redacted::text(call.tool()),
    }
}

/// The subject of an input that is no call. Nothing of its text is kept: nobody knows what in it is a secret.
pub(crate) fn unread(shared: &Shared, version: &Version, id: Option<&str>) -> Subject {
    Subject {
        session: None,
        call: id.map_or_else(|| Redacted::fixed("unread"), Redacted::id),
        agent: None,
        tool: Redacted::fixed("unread"),
        operations: Vec::new(),
        resources: Vec::new(),
        risk: RiskWord::Deny,
        causes: Vec::new(),
        policy: Redacted::id(version.judge.policy()),
        arguments: shared.ledger.digest(b""),
        summary: Redacted::fixed("an input that is not a call"),
    }
}

/// Adds what the assessment found out.
pub(crate) fn learn(subject: &mut Subject, assessment: &Assessment) {
    subject.operations = unrepeated(assessment.effects.iter().map(|e| Redacted::fixed(e.kind.word())));
    subject.resources = unrepeated(
        assessment
            .effects
            .iter()
            .filter_map(|e| e.place.as_ref())
            .map(|place| Redacted::bytes(place.as_bytes())),
    );
    subject.risk = match assessment.verdict.risk() {
        Risk::Allow => RiskWord::Allow,
        Risk::Confirm => RiskWord::Confirm,
        Risk::Deny => RiskWord::Deny,
    };
    subject.causes = unrepeated(assessment.verdict.causes().iter().map(cause_text));
    subject.policy = Redacted::id(&assessment.policy);
    if !assessment.effects.is_empty() {
        let parts = unrepeated(assessment.effects.iter().map(summary));
        subject.summary = Redacted::text(&parts.join(", "));
    }
}

fn cause_text(cause: &Cause) -> CauseText {
    CauseText {
        rule: Redacted::id(&cause.rule),
        layer: Redacted::fixed(cause.layer.word()),
    }
}

/// `delete build/cache`. Only paths are quoted: a command or an address may hold what no pattern recognises as
/// a secret.
fn summary(effect: &Effect) -> String {
    let quoted = if on_files(effect.kind) {
        &effect.operand
    } else {
        &effect.member
    };
    format!("{} {quoted}", effect.kind.word())
}

/// Whether the kind is about a path, so that its operand is one.
pub(crate) fn on_files(kind: EffectKind) -> bool {
    matches!(
        kind,
        EffectKind::Read
            | EffectKind::List
            | EffectKind::Search
            | EffectKind::Write
            | EffectKind::Delete
            | EffectKind::Move
            | EffectKind::Link
    )
}

fn unrepeated<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}
