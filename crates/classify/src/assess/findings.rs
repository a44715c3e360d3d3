use portcullis_paths::{Place, Target};

use super::Denial;
use crate::{Cause, Code, Effect, EffectKind, Part, Risk, secrets, show};

/// Effects and causes of one call before they are joined.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) effects: Vec<Effect>,
    pub(super) causes: Vec<Cause>,
    /// The command texts, without their secrets.
    pub(super) texts: Vec<String>,
    /// Set when the call is denied for another reason than policy.
    pub(super) fault: Option<Denial>,
}

/// What an effect acts on.
#[derive(Debug, Default)]
pub(super) struct Object {
    pub(super) target: Option<Target>,
    pub(super) place: Option<Place>,
    pub(super) code: Option<Code>,
}

/// Where in a command text an effect comes from.
#[derive(Debug, Default)]
pub(super) struct Whence {
    /// The simple command.
    pub(super) command: Option<usize>,
    pub(super) part: Option<Part>,
}

impl From<Target> for Object {
    fn from(target: Target) -> Self {
        Self {
            place: Some(target.place().clone()),
            target: Some(target),
            code: None,
        }
    }
}

impl From<Option<Place>> for Object {
    fn from(place: Option<Place>) -> Self {
        Self {
            target: None,
            place,
            code: None,
        }
    }
}

impl Findings {
    /// A call that is refused before its effects are looked at.
    pub(super) fn refused(fault: Denial, cause: Cause) -> Self {
        Self {
            effects: Vec::new(),
            causes: vec![cause],
            texts: Vec::new(),
            fault: Some(fault),
        }
    }

    /// Takes secrets of a command out of everything that quotes a part of it.
    pub(super) fn hide(&mut self, secrets: &[&str]) {
        for cause in &mut self.causes {
            secrets::without(&mut cause.text, secrets);
        }
        for effect in &mut self.effects {
            secrets::without(&mut effect.operand, secrets);
            // A secret that was also judged as a path, because the program is not known. Its causes stay.
            let told = effect
                .place
                .as_ref()
                .map(|place| String::from_utf8_lossy(place.as_bytes()).into_owned());
            let is_told = told.is_some_and(|told| secrets.iter().any(|secret| told.contains(secret)));
            if is_told && effect.command.is_some() {
                effect.place = None;
                effect.target = None;
            }
        }
    }

    /// Notes an effect and the causes that are about it. An effect without a cause is denied.
    pub(super) fn add(
        &mut self,
        kind: EffectKind,
        member: &str,
        operand: &str,
        object: Object,
        causes: Vec<Cause>,
    ) {
        let shown = shown(kind, operand);
        self.add_of(Whence::default(), kind, member, shown, object, causes);
    }

    /// The same, for an effect of a command text. The operand is as it may be shown.
    pub(super) fn add_of(
        &mut self,
        whence: Whence,
        kind: EffectKind,
        member: &str,
        operand: String,
        object: Object,
        causes: Vec<Cause>,
    ) {
        let risk = causes.iter().map(|cause| cause.risk).max().unwrap_or(Risk::Deny);
        let index = self.effects.len();
        self.causes
            .extend(causes.into_iter().map(|cause| cause.about(index)));
        self.effects.push(Effect {
            kind,
            member: member.to_owned(),
            command: whence.command,
            part: whence.part,
            operand,
            target: object.target,
            place: object.place,
            risk,
            code: object.code,
        });
    }
}

/// An operand as it may be shown.
pub(super) fn shown(kind: EffectKind, operand: &str) -> String {
    match kind {
        EffectKind::Execute | EffectKind::Opaque | EffectKind::Spawn => show::operand(operand),
        _ => show::told(operand),
    }
}
