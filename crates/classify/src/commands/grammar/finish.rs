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
        match meaning.after {
            Some(roles) => {
                self.assign(meaning.operands, &operands);
                self.assign(Some(roles), &after);
                self.reading.operands = operands;
                self.reading.operands.extend(after);
            }
            None => {
                let mut all = operands;
                all.extend(after);
                self.assign(meaning.operands, &all);
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
        self.reading.facts.extend(meaning.also);
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
    fn meaning(&self) -> Held<'t> {
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
        let program = self.program;
        let mut meaning = Held::of(&program.meaning);
        for when in program.whens.iter().filter(|when| when.holds(given)) {
            meaning.operands = when.operands.as_ref().or(meaning.operands);
            meaning.after = when.after.as_ref().or(meaning.after);
            meaning.here = when.here.or(meaning.here);
            meaning.does = when.does.as_deref().unwrap_or(meaning.does);
            meaning.bare = when.bare.as_deref().unwrap_or(meaning.bare);
            meaning.also.extend(&when.also);
        }
        let above = self.levels.split_last().map_or(&[][..], |(_, above)| above);
        let anywhere = |name: &str| self.given.iter().any(|(option, _)| *option == name);
        for when in above.iter().flat_map(|level| &level.whens) {
            if when.holds(anywhere) {
                meaning.also.extend(&when.also);
            }
        }
        meaning
    }

    fn assign(&mut self, roles: Option<&'t Roles>, operands: &[Argument<'a>]) {
        let given = roles.map(|roles| roles.of(operands.len())).into_iter().flatten();
        let given = given.chain(std::iter::repeat(None));
        for (at, (role, argument)) in given.zip(operands).enumerate() {
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

/// What holds of a program with the options that are given.
struct Held<'t> {
    operands: Option<&'t Roles>,
    after: Option<&'t Roles>,
    here: Option<Role>,
    does: &'t [Fact],
    also: Vec<Fact>,
    bare: &'t [Fact],
}

impl<'t> Held<'t> {
    fn of(meaning: &'t Meaning) -> Self {
        Self {
            operands: meaning.operands.as_ref(),
            after: meaning.after.as_ref(),
            here: meaning.here,
            does: &meaning.does,
            also: Vec::new(),
            bare: &meaning.bare,
        }
    }
}
