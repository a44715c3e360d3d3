use serde::Serialize;

use super::Judged;

#[derive(Serialize)]
struct Line<'a> {
    call: Option<&'a str>,
    verdict: &'static str,
    refusal: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<Command<'a>>,
    effects: Vec<Effect<'a>>,
    causes: Vec<Cause<'a>>,
}

#[derive(Serialize)]
struct Command<'a> {
    command: usize,
    text: &'a str,
    depth: usize,
    how: Option<&'a str>,
}

#[derive(Serialize)]
struct Effect<'a> {
    kind: &'static str,
    target: Option<&'a str>,
    operand: &'a str,
    risk: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<usize>,
}

#[derive(Serialize)]
struct Cause<'a> {
    rule: &'a str,
    layer: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<usize>,
}

/// One line of data, without its line break.
pub(crate) fn json(judged: &Judged) -> serde_json::Result<String> {
    serde_json::to_string(&Line {
        call: judged.call.as_deref(),
        verdict: judged.verdict.word(),
        refusal: judged.refusal.map(portcullis::RefusalKind::code),
        commands: judged
            .commands
            .iter()
            .enumerate()
            .map(|(number, command)| Command {
                command: number + 1,
                text: &command.text,
                depth: command.depth,
                how: command.how.as_deref(),
            })
            .collect(),
        effects: judged
            .effects
            .iter()
            .map(|effect| Effect {
                kind: effect.kind,
                target: effect.target.as_ref().map(|target| target.exact.as_str()),
                operand: &effect.operand,
                risk: effect.risk.word(),
                command: effect.command,
            })
            .collect(),
        causes: judged
            .causes
            .iter()
            .map(|cause| Cause {
                rule: &cause.rule,
                layer: cause.layer,
                text: &cause.text,
                effect: cause.effect.filter(|_| !judged.commands.is_empty()),
            })
            .collect(),
    })
}
