use serde::Serialize;

use super::Judged;

#[derive(Serialize)]
struct Line<'a> {
    call: Option<&'a str>,
    verdict: &'static str,
    refusal: Option<&'static str>,
    effects: Vec<Effect<'a>>,
    causes: Vec<Cause<'a>>,
}

#[derive(Serialize)]
struct Effect<'a> {
    kind: &'static str,
    target: Option<&'a str>,
    operand: &'a str,
    risk: &'static str,
}

#[derive(Serialize)]
struct Cause<'a> {
    rule: &'a str,
    layer: &'static str,
    text: &'a str,
}

/// One line of data, without its line break.
pub(crate) fn json(judged: &Judged) -> serde_json::Result<String> {
    serde_json::to_string(&Line {
        call: judged.call.as_deref(),
        verdict: judged.verdict.word(),
        refusal: judged.refusal.map(portcullis::RefusalKind::code),
        effects: judged
            .effects
            .iter()
            .map(|effect| Effect {
                kind: effect.kind,
                target: effect.target.as_ref().map(|target| target.exact.as_str()),
                operand: &effect.operand,
                risk: effect.risk.word(),
            })
            .collect(),
        causes: judged
            .causes
            .iter()
            .map(|cause| Cause {
                rule: &cause.rule,
                layer: cause.layer,
                text: &cause.text,
            })
            .collect(),
    })
}
