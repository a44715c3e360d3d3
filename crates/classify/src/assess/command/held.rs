//! Variables that builtins set to what was downloaded.

use std::collections::HashMap;

use super::downloads::Search;
use crate::shell::{GroupKind, SimpleCommand, Word, declares, marks};

impl<'t> Search<'t, '_, '_, '_> {
    /// The variables that hold a download, by themselves or from one another, a few steps far.
    pub(super) fn held(&self) -> Option<HashMap<&'t str, String>> {
        let script = self.text.flow.script();
        let mut found = HashMap::new();
        for (number, command) in script.commands().iter().enumerate() {
            for assignment in command.assignments.iter().filter(|_| command.words.is_empty()) {
                if let Some(from) = assignment.values.iter().find_map(|value| self.in_text(value)) {
                    found.insert(assignment.name.as_str(), from);
                }
            }
            self.set_by_builtin(number, command, &mut found);
        }
        for group in script.groups() {
            if let Some(name) = &group.variable
                && let Some(from) = group.words.iter().find_map(|word| self.in_text(word))
            {
                found.insert(name, from);
            }
        }
        (found.len() > self.variables.len()).then_some(found)
    }

    /// The variables that a builtin sets to a download: `read` and its kin from what they are fed, `printf -v` and
    /// `declare` from their words, `set` and functions the parameters.
    fn set_by_builtin(
        &self,
        number: usize,
        command: &'t SimpleCommand,
        found: &mut HashMap<&'t str, String>,
    ) {
        let Some((first, words)) = command.words.split_first() else {
            return;
        };
        let name = first.literal().unwrap_or_default();
        let (unnamed, from) = match name {
            "read" => ("REPLY", self.feeds(number, 0)),
            "mapfile" | "readarray" => ("MAPFILE", self.feeds(number, 0)),
            "printf"
                if words
                    .first()
                    .is_some_and(|word| word.known_start().starts_with("-v")) =>
            {
                ("", words.iter().find_map(|word| self.in_text(word)))
            }
            _ if declares(name) || marks(name) => {
                for word in words {
                    if let Some((name, _)) = word.known_start().split_once('=')
                        && let Some(from) = self.in_text(word)
                    {
                        found.insert(name.trim_end_matches('+'), from);
                    }
                }
                return;
            }
            _ if name == "set" || self.calls_a_function(name) => {
                // Which parameter it becomes depends on the others.
                if let Some(from) = words.iter().find_map(|word| self.in_text(word)) {
                    for parameter in PARAMETERS {
                        found.insert(parameter, from.clone());
                    }
                }
                return;
            }
            _ => return,
        };
        let Some(from) = from else { return };
        // Which of its words are names depends on options; one too many does no harm.
        let names = words.iter().filter_map(Word::literal);
        for name in names.chain([unnamed]) {
            let name = name.strip_prefix("-v").unwrap_or(name);
            if !name.is_empty() && !name.starts_with('-') {
                found.insert(name, from.clone());
            }
        }
    }

    /// Whether a name may be that of a function of the text: it defines one, and no program of that name is known.
    fn calls_a_function(&self, name: &str) -> bool {
        let defines = |group: &crate::shell::Group| group.kind == GroupKind::Function;
        let mut groups = self.text.flow.script().groups().iter();
        groups.any(defines) && self.text.table.get(name).is_none()
    }
}

const PARAMETERS: &[&str] = &["@", "*", "1", "2", "3", "4"];
