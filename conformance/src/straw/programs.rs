//! Commands of programs that a policy explains.

use std::path::Path;

use serde_json::json;

use super::rules::{Operand, Risk, Rules};
use crate::wire::{Deed, Policy, Program};

impl Rules {
    /// The verdict on the operands of a program that the user explains; none of one that nobody does.
    pub(super) fn explained(&self, words: &[&str], cwd: &Path) -> Option<Risk> {
        let (called, words) = words.split_first()?;
        let name = called.rsplit('/').next().unwrap_or_default();
        let of = |policy: &Policy| {
            let programs = policy.programs.clone().unwrap_or_default();
            programs.into_iter().find(|program| program.name == name)
        };
        let besides = self.project.as_ref().and_then(of);
        let own = of(&self.user);
        let own = if besides.is_some() && self.lie.is("project-loosens") {
            besides.clone()
        } else {
            own
        }?;
        if self.lie.is("programs-whole") {
            return Some(Risk::Allow);
        }
        let besides = besides.map_or(Risk::Allow, |program| self.done(&program, words, cwd));
        Some(self.done(&own, words, cwd).max(besides))
    }

    fn done(&self, program: &Program, words: &[&str], cwd: &Path) -> Risk {
        let mut risk = Risk::Allow;
        let mut operands = program.operands.iter();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (deed, operand) = if word.starts_with('-') {
                match program.options.get(*word) {
                    Some(Deed::Flag) => continue,
                    deed => (deed, words.next()),
                }
            } else {
                (operands.next(), Some(word))
            };
            let tool = match deed {
                Some(Deed::Read) => "read",
                Some(Deed::Write) => "write",
                Some(Deed::Text | Deed::Flag) => continue,
                None if self.lie.is("programs-guess") => continue,
                None => return Risk::Ask,
            };
            let args = json!({ "path": operand.copied().unwrap_or_default() });
            risk = risk.max(self.place(tool, &Operand::new(tool, &args, "path", cwd, self.lie)));
        }
        risk
    }
}
