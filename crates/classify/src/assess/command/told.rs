//! Secrets of the environment that a command prints: `echo $TOKEN` tells what `printenv TOKEN` does.

use super::Text;
use crate::assess::gather::Stop;
use crate::commands::{Fact, base_name};
use crate::policy::builtin::deed_cause;
use crate::secrets;
use crate::shell::{Piece, SimpleCommand, Word};

/// Programs that print their words.
const PRINTERS: &[&str] = &["echo", "printf", "print"];

impl Text<'_, '_, '_> {
    pub(super) fn told_secrets(&mut self, number: usize, command: &SimpleCommand) -> Result<(), Stop> {
        let prints = command
            .name()
            .is_some_and(|name| PRINTERS.contains(&base_name(name)));
        let words = command.words.iter().skip(1).filter(|_| prints);
        let texts = command.redirections.iter().flat_map(|one| {
            one.body
                .iter()
                .chain(one.file().is_none().then_some(&one.operand))
        });
        let secret = words.chain(texts).find_map(|word| self.secret_in(word));
        let Some(name) = secret.map(str::to_owned) else {
            return Ok(());
        };
        let preset = self.gather.judge.policy.preset();
        match deed_cause(preset, Fact::Environment) {
            Some((kind, cause)) => self.plain(Some(number), kind, &format!("${name}"), cause),
            None => Ok(()),
        }
    }

    /// A variable of the environment in a word, when its name says that it is secret.
    fn secret_in<'w>(&self, word: &'w Word) -> Option<&'w str> {
        word.pieces().iter().find_map(|piece| match piece {
            Piece::Variable { name, .. }
                if !matches!(name.as_str(), "PWD" | "OLDPWD")
                    && secrets::sounds_secret(name)
                    && self.flow.is_of_the_environment(name) =>
            {
                Some(name.as_str())
            }
            _ => None,
        })
    }
}
