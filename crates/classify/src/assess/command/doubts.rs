//! What the reader of commands could not be sure of.

use super::Text;
use super::variables::{is_only_the_projects, is_own, names_the_project};
use crate::assess::gather::Stop;
use crate::commands::{Fact, PathRole, Role, read_named, spelled};
use crate::shell::{
    Assignment, Doubt, Place, Reason, SimpleCommand, declares, is_harmless_setting, wrapper_facts,
};
use crate::{Cause, EffectKind, Layer, Risk};

/// What looks for no variables but those that have names of their own, which nothing here lets through.
const DEAF: &[&str] = &[
    ":", "[", "basename", "break", "cat", "cd", "chmod", "continue", "cp", "cut", "date", "declare", "diff",
    "dirname", "du", "echo", "exit", "export", "false", "file", "find", "git", "grep", "head", "jq", "local",
    "ls", "mkdir", "mv", "printf", "pwd", "read", "readonly", "rm", "sed", "seq", "set", "shift", "sleep",
    "sort", "stat", "tail", "tee", "test", "touch", "tr", "true", "typeset", "uniq", "unset", "wait", "wc",
];

impl Text<'_, '_, '_> {
    pub(super) fn doubts(&mut self, text: &str, doubts: &[Doubt]) -> Result<(), Stop> {
        let mut told: Vec<Reason> = Vec::new();
        for doubt in doubts {
            if told.contains(&doubt.reason) || self.is_of_no_matter(*doubt) {
                continue;
            }
            told.push(doubt.reason);
            let at = doubt.place.start;
            let line = format!("{}, at byte {at}", doubt.reason.sentence());
            let cause = Cause::new("command.opaque", Layer::BuiltIn, Risk::Confirm, &line);
            let shown: String = text.get(at..).unwrap_or_default().chars().take(40).collect();
            self.at_word(Some(doubt.place), |this| {
                this.plain(None, EffectKind::Opaque, &shown, cause)
            })?;
        }
        Ok(())
    }

    /// A variable that is set for the project's own code alone tells that code something; a name that others read too
    /// still asks.
    fn is_of_no_matter(&self, doubt: Doubt) -> bool {
        let flow = self.flow;
        if doubt.reason == Reason::DynamicRedirection {
            // Such a file is judged like any other operand.
            return flow
                .redirections()
                .any(|(_, one)| one.file().is_some_and(|word| word.place() == doubt.place));
        }
        if doubt.reason != Reason::Environment {
            return false;
        }
        let within = |place: Place| doubt.place.start >= place.start && doubt.place.end <= place.end;
        let mut commands = flow.script().commands().iter().enumerate();
        commands.any(|(number, command)| {
            let Some(first) = command.words.first() else {
                // Nothing else is told of it, unless it was exported before.
                let mut names = command.assignments.iter().map(|one| one.name.as_str());
                return within(command.place) && names.all(is_own);
            };
            if within(command.place) && doubt.place.start >= first.place().end {
                return self.declares_its_own(command);
            }
            let before_it =
                doubt.place.start >= command.place.start && doubt.place.end <= first.place().start;
            let value = |one: &Assignment| match one.values.as_slice() {
                [word] if !one.appends && !one.array => word.literal().map(str::to_owned),
                _ => None,
            };
            let mut all = command
                .assignments
                .iter()
                .map(|one| (one.name.as_str(), value(one)));
            let fits = all.all(|(name, value)| {
                is_harmless_setting(name, value.as_deref())
                    || name == "IFS" && command.name() == Some("read")
                    || is_only_the_projects(name)
                    || value.is_some_and(|value| names_the_project(name, &value))
            });
            before_it && fits && (command.name() == Some("read") || self.runs_the_project(number))
        })
    }

    /// Whether a declaration names nothing but variables that mean something to the text alone, or to code of the project
    /// that hears of them.
    fn declares_its_own(&self, command: &SimpleCommand) -> bool {
        let exports = match command.name() {
            Some("export") => true,
            Some(name) if declares(name) => command
                .words
                .iter()
                .any(|word| word.known_start().starts_with('-') && word.known_start().contains('x')),
            Some("readonly") => false,
            _ => return false,
        };
        let own = command.words.iter().skip(1).all(|word| {
            let start = word.known_start();
            start.starts_with('-') || is_own(start.split('=').next().unwrap_or_default())
        });
        let count = self.flow.script().commands().len();
        own && (!exports || (0..count).all(|number| self.hears_nothing(number)))
    }

    /// Whether a command does not look for variables of any name: a part of the shell, or of what lists and changes files;
    /// or it is the project's own code, which may.
    fn hears_nothing(&self, number: usize) -> bool {
        let command = self.flow.script().commands().get(number);
        let Some(command) = command else { return false };
        let Some(first) = command.words.first() else {
            return true;
        };
        let Some(name) = first.literal() else { return false };
        let wraps = wrapper_facts(name).is_some_and(<[Fact]>::is_empty);
        DEAF.contains(&name) || wraps || self.runs_the_project(number)
    }

    /// Whether a command does nothing but run the project's code, itself or through what it runs.
    fn runs_the_project(&self, number: usize) -> bool {
        let flow = self.flow;
        let Some(command) = flow.script().commands().get(number) else {
            return false;
        };
        let Some((name, arguments)) = spelled(flow, number, command) else {
            return false;
        };
        let Some(reading) = read_named(self.table, name, &arguments) else {
            return false;
        };
        let code = |role: Role| role == Role::Path(PathRole::Execute);
        let runs =
            reading.facts.contains(&Fact::ProjectCode) || reading.acts.iter().any(|act| code(act.role));
        let harmless = |fact: &Fact| matches!(fact, Fact::ProjectCode | Fact::Fetches);
        reading.misread.is_none() && runs && reading.facts.iter().all(harmless)
    }
}
