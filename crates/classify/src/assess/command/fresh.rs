//! Code that the same text writes and runs: what lies there now, and what a person trusts, is not what will run.

use portcullis_paths::{FileKind, Operation, Place, State, Target};

use super::Text;
use crate::assess::gather::Stop;
use crate::policy::builtin::rules;
use crate::{Effect, EffectKind};

impl Text<'_, '_, '_> {
    /// Whatever stands first in a text may run last (loops, functions, `trap`): the order does not count.
    pub(super) fn fresh_code(&mut self) -> Result<(), Stop> {
        let effects = &self.gather.findings.effects;
        let written: Vec<&Place> = effects.iter().filter_map(put).map(Target::place).collect();
        let fresh: Vec<(usize, String)> = effects
            .iter()
            .filter_map(|effect| {
                let place = run(effect)?.place();
                let number = effect.command?;
                written.contains(&place).then(|| (number, effect.operand.clone()))
            })
            .collect();
        for (number, operand) in fresh {
            self.plain(
                Some(number),
                EffectKind::Opaque,
                &operand,
                rules::FRESH_CODE.cause(),
            )?;
        }
        Ok(())
    }
}

/// The file that an effect gives other contents.
fn put(effect: &Effect) -> Option<&Target> {
    let target = effect.target.as_ref()?;
    let puts = matches!(
        target.operation(),
        Operation::Write
            | Operation::CreateNew
            | Operation::MoveTo
            | Operation::LinkTo
            | Operation::HardLinkFrom
    );
    puts.then_some(target)
}

/// The file that an effect runs.
fn run(effect: &Effect) -> Option<&Target> {
    let target = effect.target.as_ref()?;
    let runs = effect.kind == EffectKind::Execute && target.state() != State::Existing(FileKind::Dir);
    runs.then_some(target)
}
