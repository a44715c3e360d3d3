//! What was judged, as a value that both reports are made of.

mod human;
mod json;
mod tree;

pub(crate) use human::human;
pub(crate) use json::json;
use tree::CommandLine;

use portcullis::{Assessment, Cause, Denial, Effect, Layer, RefusalKind, Risk};

use crate::input::NotACall;

/// One judged call.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) call: Option<String>,
    pub(crate) tool: Option<String>,
    pub(crate) verdict: Risk,
    pub(crate) refusal: Option<RefusalKind>,
    pub(crate) effects: Vec<EffectLine>,
    pub(crate) causes: Vec<CauseLine>,
    /// The simple commands of a command that was asked about alone.
    pub(crate) commands: Vec<CommandLine>,
}

/// One effect.
#[derive(Debug)]
pub(crate) struct EffectLine {
    pub(crate) kind: &'static str,
    /// The canonical place: exact for machines, safe for people.
    pub(crate) target: Option<Target>,
    pub(crate) operand: String,
    pub(crate) risk: Risk,
    /// The simple command that it is of, counted from 1.
    pub(crate) command: Option<usize>,
}

/// A canonical place in both forms.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) exact: String,
    pub(crate) shown: String,
}

/// One cause.
#[derive(Debug)]
pub(crate) struct CauseLine {
    pub(crate) rule: String,
    pub(crate) layer: &'static str,
    pub(crate) text: String,
    /// The effect that it is about, counted from 0.
    pub(crate) effect: Option<usize>,
}

impl Judged {
    pub(crate) fn call(assessment: &Assessment) -> Self {
        Self {
            call: Some(assessment.call.id().to_owned()),
            tool: Some(assessment.call.tool().to_owned()),
            verdict: assessment.verdict.risk(),
            refusal: assessment.denial.as_ref().map(|denial| match denial {
                Denial::UnknownTool => RefusalKind::UnknownTool,
                Denial::BadArguments => RefusalKind::BadArguments,
                Denial::Policy => RefusalKind::Policy,
            }),
            effects: assessment.effects.iter().map(EffectLine::new).collect(),
            causes: assessment.verdict.causes().iter().map(CauseLine::new).collect(),
            commands: Vec::new(),
        }
    }

    /// The same, with the commands of this text one by one.
    pub(crate) fn explained(mut self, text: &str) -> Self {
        self.commands = tree::of(text);
        self
    }

    /// A line that is not a call is judged like one: it is denied.
    pub(crate) fn not_a_call(line: usize, not: &NotACall) -> Self {
        Self {
            call: not.id.clone(),
            tool: None,
            verdict: Risk::Deny,
            refusal: Some(RefusalKind::BadArguments),
            effects: Vec::new(),
            causes: vec![CauseLine {
                rule: "call.malformed".to_owned(),
                layer: Layer::BuiltIn.word(),
                text: format!("line {line} of the input is not a call: {}", not.error),
                effect: None,
            }],
            commands: Vec::new(),
        }
    }
}

impl EffectLine {
    fn new(effect: &Effect) -> Self {
        Self {
            kind: effect.kind.word(),
            target: effect.place.as_ref().map(|place| Target {
                // Only valid UTF-8 has an exact form in JSON; anything else is shown.
                exact: String::from_utf8(place.as_bytes().to_vec()).unwrap_or_else(|_| place.to_string()),
                shown: place.to_string(),
            }),
            operand: effect.operand.clone(),
            risk: effect.risk,
            command: effect.command.map(|number| number + 1),
        }
    }
}

impl CauseLine {
    fn new(cause: &Cause) -> Self {
        Self {
            rule: cause.rule.clone(),
            layer: cause.layer.word(),
            text: cause.text.clone(),
            effect: cause.effect,
        }
    }
}
