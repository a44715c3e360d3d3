//! What holds of a command once all its words are read.

use super::Reader;
use crate::commands::argument::Argument;
use crate::commands::program::{Meaning, Roles};
use crate::commands::reading::{Act, Misread, Reading};
use crate::commands::{Fact, Role};

impl<'t, 'a> Reader<'t, 'a> {
    pub(super) fn finish(mut self) -> Reading<'t, 'a> {
        let meaning = self.meaning();
        let operands = std::mem::take(&mut self.operands);
        let after = std::mem::take(&mut self.after);
        let none = operands.len() + after.len() < self.program.least.max(1);
        let before = self.reading.acts.len();
        match &meaning.after {
            Some(roles) => {
                self.assign(meaning.operands.as_ref(), &operands);
                self.assign(Some(roles), &after);
                self.reading.operands = operands;
                self.reading.operands.extend(after);
            }
            None => {
                let all: Vec<_> = operands.into_iter().chain(after).collect();
                self.assign(meaning.operands.as_ref(), &all);
                self.reading.operands = all;
            }
        }
        if self.alone {
            return self.reading;
        }
        if let Some(here) = meaning.here
            && !self.reading.acts.iter().skip(before).any(|act| act.role == here)
        {
            self.reading.acts.push(Act {
                role: here,
                argument: Argument::literal("."),
                option: None,
                rest: Vec::new(),
            });
        }
        self.reading.facts.extend(meaning.does);
        let is_code = |act: &Act<'_, '_>| matches!(act.role, Role::Code | Role::Python);
        if none && !self.reading.acts.iter().any(is_code) {
            self.reading.facts.extend(meaning.bare);
        }
        let levels = self.levels.iter().flat_map(|level| &level.decided_by);
        self.reading.decided_by = levels.map(String::as_str).collect();
        self.reading.facts.sort_unstable();
        self.reading.facts.dedup();
        self.reading
    }

    /// What holds with the options that are given.
    fn meaning(&self) -> Meaning {
        // An option of a program is one of its sub-command only where that has it from there.
        let here = self.levels.len();
        let counts = |level: usize| {
            let passed = self
                .levels
                .iter()
                .skip(level.saturating_sub(1))
                .take(here - level);
            passed.into_iter().all(|program| program.global)
        };
        let given = |name: &str| {
            self.given
                .iter()
                .any(|(option, level)| *option == name && counts(*level))
        };
        let mut meaning = self.program.meaning.clone();
        let mut also: Vec<Fact> = Vec::new();
        for when in self.program.whens.iter().filter(|when| when.holds(given)) {
            if let Some(operands) = &when.operands {
                meaning.operands = Some(operands.clone());
            }
            if let Some(after) = &when.after {
                meaning.after = Some(after.clone());
            }
            if let Some(here) = when.here {
                meaning.here = Some(here);
            }
            if let Some(does) = &when.does {
                meaning.does.clone_from(does);
            }
            if let Some(bare) = &when.bare {
                meaning.bare.clone_from(bare);
            }
            also.extend(&when.also);
        }
        let above = self.levels.split_last().map_or(&[][..], |(_, above)| above);
        let anywhere = |name: &str| self.given.iter().any(|(option, _)| *option == name);
        for when in above.iter().flat_map(|level| &level.whens) {
            if when.holds(anywhere) {
                also.extend(&when.also);
            }
        }
        meaning.does.extend(also);
        meaning
    }

    fn assign(&mut self, roles: Option<&Roles>, operands: &[Argument<'a>]) {
        let none = Roles::default();
        let roles = roles.unwrap_or(&none);
        for (at, (role, argument)) in roles.of(operands.len()).zip(operands).enumerate() {
            let Some(role) = role else {
                if !self.program.loose {
                    self.misread(argument, Misread::Operand);
                }
                continue;
            };
            let takes_rest = matches!(role, Role::Command | Role::Elsewhere);
            let rest = if takes_rest {
                operands.get(at + 1..).unwrap_or_default().to_vec()
            } else {
                Vec::new()
            };
            self.reading.acts.push(Act {
                role,
                argument: argument.clone(),
                option: None,
                rest,
            });
            if takes_rest {
                return;
            }
        }
    }
}
