//! Review levels at work: which of the built-in questions about a parameter are put.

use portcullis_paths::{Dialect, ErrorKind, Operation};
use serde_json::Value;

use super::findings::{Findings, Object};
use super::gather::{Gather, Stop};
use super::judge::{Judge, PathOperand, Refused};
use crate::policy::builtin::{Scene, matter, rules};
use crate::policy::{Level, Parameter};
use crate::{Cause, EffectKind, Layer, Risk, show};

/// The parameter that every tool is taken to name a file with, when it has one and does not say what it is.
const PATH: &str = "path";

impl Gather<'_> {
    /// A top-level `path` that the tool does not explain: looked at where a level asks about it, as something that may be
    /// read or changed.
    pub(super) fn unexplained_path(&mut self) -> Result<(), Stop> {
        let judge = self.judge;
        let is_explained = judge.tool.operands().iter().any(|operand| operand.member == PATH);
        let Some(Value::String(text)) = judge.call.arguments().get(PATH).filter(|_| !is_explained) else {
            return Ok(());
        };
        if judge
            .policy
            .said_level(judge.tool, Parameter::of(judge.tool, PATH))
            .is_none()
        {
            return Ok(());
        }
        self.keep_room_for(1)?;
        let operand = PathOperand {
            member: PATH,
            text,
            dialect: &Dialect::AGENT,
            operation: Operation::Lstat,
            cwd: None,
        };
        let kind = EffectKind::Read;
        let resolved = judge.resolve(operand).or_else(|refused| match refused {
            Refused::Path { kind, .. } if kind != ErrorKind::Protected => {
                // What is not there yet has a name all the same.
                let new = PathOperand {
                    operation: Operation::Write,
                    ..operand
                };
                judge.resolve(new).map_err(|_| refused)
            }
            _ => Err(refused),
        });
        let (object, causes) = match resolved {
            Ok(target) => {
                let mut causes = judge.target_causes(kind, &target);
                causes.extend(judge.name_causes(EffectKind::Write, &target));
                // Only looked at: nobody knows what the tool does there, so nothing is held for it.
                (Object::from(Some(target.place().clone())), causes)
            }
            Err(Refused::Path {
                kind: ErrorKind::Protected,
                place,
                cause,
                ..
            }) => (place.into(), vec![cause]),
            Err(Refused::Outside {
                place,
                touches,
                cause,
            }) => {
                let mut causes = judge.place_causes(kind, &touches, Scene::Outside);
                causes.push(cause);
                (place.into(), causes)
            }
            Err(_) => (Object::default(), vec![rules::REVIEW_UNTOLD.cause()]),
        };
        self.findings.add(kind, PATH, text, object, causes);
        Ok(())
    }
}

impl Findings {
    /// Puts only those built-in questions that the level of each parameter asks for. It neither lifts what is denied nor
    /// what a layer says in its own words.
    pub(super) fn reviewed(mut self, judge: Judge<'_>) -> Self {
        if judge.policy.levels().next().is_none() {
            return self;
        }
        let mut members: Vec<String> = Vec::new();
        for index in 0..self.effects.len() {
            let Some(effect) = self.effects.get_mut(index) else {
                break;
            };
            if effect.member.is_empty() {
                continue;
            }
            let (level, layer) = judge.policy.level(judge.tool, &effect.member);
            let kind = effect.kind;
            let of_it = self.causes.iter_mut().filter(|cause| cause.effect == Some(index));
            effect.risk = of_it.fold(Risk::Allow, |risk, cause| {
                // What is not understood is never lifted, whatever the rule that says so is called.
                let is_built_in = cause.layer == Layer::BuiltIn && kind != EffectKind::Opaque;
                if is_built_in && cause.risk == Risk::Confirm && !level.asks(matter(&cause.rule)) {
                    cause.risk = Risk::Allow;
                }
                risk.max(cause.risk)
            });
            if level == Level::Always && !members.contains(&effect.member) {
                members.push(effect.member.clone());
                effect.risk = effect.risk.max(Risk::Confirm);
                let text = format!(
                    "every `{}` of `{}` is reviewed",
                    show::operand(&effect.member),
                    show::operand(judge.tool.name())
                );
                let cause = Cause::new(rules::REVIEW_ALWAYS.id, layer, Risk::Confirm, &text);
                self.causes.push(cause.about(index));
            }
        }
        self
    }
}
