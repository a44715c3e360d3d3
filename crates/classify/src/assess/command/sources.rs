//! What downloads, and into which files.

use std::collections::HashSet;

use super::Text;
use super::words::is_remote;
use crate::commands::{Act, Fact, Reading, Role, Value, base_name, read, spelled};
use crate::shell::{Part, Redirection};

/// A command that downloads.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) files: HashSet<Vec<String>>,
}

impl Text<'_, '_, '_> {
    /// What a command that fetches may have downloaded, and where to.
    pub(super) fn source(&self, number: usize) -> Option<Source> {
        let flow = self.flow;
        let command = flow.script().commands().get(number)?;
        let (name, arguments) = spelled(flow, number, command)?;
        let base = base_name(name);
        let known = self.table.get(base);
        let reading = known.map(|program| read(self.table, program, &arguments));
        let mut files = HashSet::new();
        if let Some(reading) = &reading {
            files.extend(written(reading));
        }
        // What it is called without a name of its own.
        for argument in &arguments {
            let text = argument.text().unwrap_or_default();
            if text.contains("://") || text.contains('/') {
                files.extend(text.rsplit('/').next().filter(|name| !name.is_empty()).map(parts));
            }
        }
        let mut options = arguments
            .iter()
            .skip_while(|argument| !matches!(argument.text(), Some("-O" | "-o" | "--output")));
        files.extend(options.nth(1).and_then(|argument| argument.text()).map(parts));
        let into = reading.iter().flat_map(|reading| &reading.acts).filter(|act| {
            let option = act.option.unwrap_or_default();
            matches!(option, "-P" | "--directory-prefix" | "--output-dir")
        });
        let folders: Vec<Vec<String>> = into.filter_map(|act| act.argument.text()).map(parts).collect();
        let within: Vec<Vec<String>> = folders
            .iter()
            .flat_map(|folder| files.iter().map(|file| [folder.clone(), file.clone()].concat()))
            .collect();
        files.extend(within);
        files.extend(self.redirected(Part::Command(number)));
        Some(Source {
            name: base.to_owned(),
            files,
        })
    }

    /// The files that a part writes by redirection.
    pub(super) fn redirected(&self, part: Part) -> Vec<Vec<String>> {
        let redirections: &[Redirection] = match part {
            Part::Command(number) => self
                .flow
                .script()
                .commands()
                .get(number)
                .map_or(&[], |one| &one.redirections),
            Part::Group(number) => self
                .flow
                .script()
                .groups()
                .get(number)
                .map_or(&[], |one| &one.redirections),
        };
        let outputs = redirections.iter().filter(|one| !one.is_input());
        outputs
            .filter_map(|one| one.file()?.literal())
            .map(parts)
            .collect()
    }
}

/// Whether a command may get something from elsewhere.
pub(super) fn fetches(name: &str, reading: Option<&Reading<'_, '_>>) -> bool {
    let named = matches!(
        base_name(name),
        "curl" | "wget" | "fetch" | "http" | "https" | "aria2c" | "lynx" | "GET"
    );
    let talks = |act: &Act<'_, '_>| match act.role {
        Role::Url | Role::Host => true,
        Role::Remote(_) => act.argument.text().is_some_and(is_remote),
        _ => false,
    };
    named
        || reading
            .is_some_and(|reading| reading.acts.iter().any(talks) || reading.facts.contains(&Fact::Connects))
}

/// The files that a command writes, by the table.
pub(super) fn written(reading: &Reading<'_, '_>) -> Vec<Vec<String>> {
    use crate::commands::PathRole;
    use portcullis_paths::Operation;
    let writes = reading.acts.iter().filter(|act| {
        matches!(
            act.role,
            Role::Path(PathRole::Put | PathRole::MoveTo | PathRole::Of(Operation::Write))
        )
    });
    let values = writes.flat_map(|act| act.argument.values());
    values.filter_map(Value::literal).map(parts).collect()
}

/// The parts of a path that count: `./a` is `a`.
pub(super) fn parts(path: &str) -> Vec<String> {
    path.split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use portcullis_paths::Ambient;
    use rstest::rstest;
    use serde_json::json;

    use crate::commands::counted::WORDS;
    use crate::{Call, Classifier, Layer, LayerRules, Limits, Policy, Shape, Toolbox};

    /// How many words are read of the words of a text.
    fn read_of(text: &str) -> usize {
        let policy = Policy::join(vec![LayerRules::empty(Layer::User)]).unwrap();
        let classifier = Classifier::open(Toolbox::standard(), policy, [], Ambient::empty()).unwrap();
        let call = json!({"id": "1", "tool": "run_command", "args": {"command": text}}).to_string();
        let call = Call::read(call.as_bytes(), Shape::Portcullis, &Limits::default()).unwrap();
        WORDS.with(|words| words.set(0));
        drop(classifier.assess(call));
        WORDS.with(std::cell::Cell::get)
    }

    #[rstest]
    #[case::files_that_one_command_names("mysql ", "-pa mysql ")]
    #[case::files_that_a_shell_runs("curl x; sh ", "a ")]
    #[case::files_that_are_fetched("curl ", "https://a.example/b ")]
    fn the_words_of_a_text_are_read_a_few_times(#[case] begins: &str, #[case] piece: &str) {
        let read = |count| read_of(&format!("{begins}{}", piece.repeat(count)));
        let (once, twice) = (read(100), read(200));
        assert!(once <= 16 * 200, "{once}");
        assert!(twice <= 2 * once + 100, "{once} {twice}");
    }
}
