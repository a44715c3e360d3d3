//! What of a command can be granted: the very same call, from the very same directory.
//!
//! What a command does is more than the places that it names. So its grant holds the whole call by a digest of the text,
//! and beside it every place that the text led to when it was allowed: both have to be the same.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use portcullis_classify::{Assessment, Call, Effect, EffectKind, Layer, Risk};
use portcullis_paths::Operation;
use sha2::{Digest as _, Sha256};

use super::key::{Resource, on_place};
use crate::subject::on_files;

/// The operation of a resource that is a whole call.
const CALL: &str = "call";

/// Rules of the house about more than places whose question can be answered for later, because an equal text then asks for
/// the same thing. A rule that is not here asks each time: which process a number names, what only the run tells, whose
/// rights are used, what an earlier call of the message changes.
const SAME_AGAIN: &[&str] = &[
    "execute",
    "connect",
    "command.connects",
    "command.fetches",
    "command.installs",
    "command.publishes",
];

/// The resources of a call that runs a command; `None` when it does not, or when any part of it cannot be granted.
pub(super) fn resources(assessment: &Assessment) -> Option<BTreeSet<Resource>> {
    if !assessment.effects.iter().any(is_start) || !asks_the_same_again(assessment) {
        return None;
    }
    let whole = whole(&assessment.call)?;
    assessment
        .effects
        .iter()
        .map(|effect| match effect.kind {
            kind if on_files(kind) => on_place(effect),
            EffectKind::Execute | EffectKind::Connect => match (&effect.target, &effect.place) {
                (Some(_), _) => on_place(effect),
                // A place that could not be held may be another one next time.
                (None, Some(_)) => None,
                (None, None) => Some(Resource {
                    kind: effect.kind,
                    operation: CALL.to_owned(),
                    place: whole.clone().into_bytes(),
                }),
            },
            // What is opaque, what starts an agent, and what is not known yet.
            _ => None,
        })
        .collect()
}

/// The directory in which the whole command starts, held.
fn is_start(effect: &Effect) -> bool {
    let operation = effect.target.as_ref().map(portcullis_paths::Target::operation);
    effect.kind == EffectKind::Execute && effect.command.is_none() && operation == Some(Operation::WorkingDir)
}

/// Whether every rule of the house that asks does so about a place that is held, or may be answered for later.
fn asks_the_same_again(assessment: &Assessment) -> bool {
    let asking = assessment.verdict.causes().iter();
    let mut asking = asking.filter(|cause| cause.risk > Risk::Allow && cause.layer == Layer::BuiltIn);
    asking.all(|cause| {
        let effect = cause.effect.and_then(|index| assessment.effects.get(index));
        effect.is_some_and(|effect| effect.target.is_some() || SAME_AGAIN.contains(&cause.rule.as_str()))
    })
}

/// The arguments and the working directory, as a digest: a store of grants holds no text of a command. It begins with no
/// `/`, so that it is below no directory.
fn whole(call: &Call) -> Option<String> {
    let arguments = call.canonical_arguments();
    let length = u64::try_from(arguments.len()).ok()?;
    let digest = Sha256::new()
        .chain_update(length.to_be_bytes())
        .chain_update(&arguments)
        .chain_update(call.cwd()?.as_os_str().as_encoded_bytes())
        .finalize();
    let mut text = "sha256:".to_owned();
    for byte in digest {
        write!(text, "{byte:02x}").ok()?;
    }
    Some(text)
}
