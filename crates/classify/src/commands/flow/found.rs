//! What `find` finds, and lists of files that are handed to `xargs`: places below a directory that is known.

use super::Flow;
use crate::commands::{Argument, base_name, read};
use crate::shell::{GroupKind, Input, Part, SimpleCommand, Word};

/// Most programs in a pipe that are followed.
const LONGEST: usize = 6;
/// Some of the files below these directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The directories, as they are written; what is found begins with one of them.
    pub(crate) starts: Vec<String>,
    /// Patterns that each name fits; without any, all do.
    pub(crate) names: Vec<String>,
    /// No link is among them.
    pub(crate) files_only: bool,
    /// A name with a blank or a quote becomes several words.
    pub(crate) splits: bool,
}

impl Flow<'_> {
    /// What a wrapper puts into the words of this command, when it is known.
    pub(super) fn found(&self, at: Part) -> Option<Found> {
        let Part::Command(number) = at else { return None };
        let group = self.script.commands().get(number)?.seat.group?;
        let GroupKind::Behind(runner) = self.script.groups().get(group)?.kind else {
            return None;
        };
        let command = self.script.commands().get(runner)?;
        match base_name(command.name()?) {
            "find" => of_find(command, true),
            "xargs" => self.handed(runner, command),
            _ => None,
        }
    }

    /// What is piped into `xargs`.
    fn handed(&self, runner: usize, xargs: &SimpleCommand) -> Option<Found> {
        let words = xargs.words.iter().map(|word| word.literal().unwrap_or_default());
        let mut zero = false;
        for word in words.skip(1).take_while(|word| word.starts_with('-')) {
            match word {
                "-0" | "--null" | "-0r" | "-r0" => zero = true,
                "-r" | "--no-run-if-empty" | "-t" | "-I{}" | "-n1" | "-P4" | "-P8" => {}
                // What it takes is the next word, and so the last that is looked at here.
                "-n" | "-P" | "-I" | "-L" => break,
                _ => return None,
            }
        }
        let mut at = runner;
        for _ in 0..LONGEST {
            let Input::Pipe(Part::Command(feeder)) = self.script.input(at) else {
                return None;
            };
            let command = self.script.commands().get(feeder)?;
            if let Some(mut found) = self.list_of(command) {
                let prints_zero = command
                    .words
                    .iter()
                    .any(|word| matches!(word.literal(), Some("-print0" | "-z" | "-0" | "--null" | "-Z")));
                found.splits = !zero;
                return (zero == prints_zero).then_some(found);
            }
            if !self.only_selects(command) {
                return None;
            }
            at = feeder;
        }
        None
    }

    /// The files that a program lists.
    fn list_of(&self, command: &SimpleCommand) -> Option<Found> {
        let name = base_name(command.name()?);
        let words: Vec<&str> = command
            .words
            .iter()
            .skip(1)
            .map(Word::literal)
            .collect::<Option<_>>()?;
        let below = |starts: Vec<String>, files_only| Found {
            starts,
            names: Vec::new(),
            files_only,
            splits: true,
        };
        match (name, words.as_slice()) {
            ("find", _) => of_find(command, false),
            ("git", ["ls-files", rest @ ..]) => {
                let flag = |word: &str| {
                    matches!(
                        word,
                        "-z" | "-o" | "--others" | "--exclude-standard" | "-m" | "-c" | "--"
                    )
                };
                let (flags, operands): (Vec<&str>, Vec<&str>) =
                    rest.iter().partition(|word| word.starts_with('-'));
                let here = || below(vec![".".to_owned()], false);
                let found = match operands.as_slice() {
                    [name] if !name.contains(['/', ':', '\\']) && name.contains('*') => Found {
                        names: vec![(*name).to_owned()],
                        ..here()
                    },
                    all if !all.is_empty() && all.iter().all(|one| !one.contains(['*', '?', '[', ':'])) => {
                        below(all.iter().map(|one| (*one).to_owned()).collect(), false)
                    }
                    _ => here(),
                };
                flags.into_iter().all(flag).then_some(found)
            }
            ("rg" | "grep" | "egrep", _) => {
                let program = self.table.get(name)?;
                let arguments: Vec<Argument<'_>> =
                    command.words.iter().skip(1).map(Argument::of_word).collect();
                let reading = read(self.table, program, &arguments);
                let given = |option: &str| reading.options.iter().any(|(name, _)| name == option);
                let lists = given("-l") || name == "rg" && given("--files");
                let searches = name == "rg" || given("-r") || given("--recursive");
                let plain = reading.misread.is_none() && !given("-R") && !given("-L") && !given("--follow");
                let starts: Option<Vec<String>> = reading
                    .acts
                    .iter()
                    .filter(|act| act.option.is_none() && matches!(act.role, crate::commands::Role::Path(_)))
                    .map(|act| act.argument.text().map(str::to_owned))
                    .collect();
                (lists && searches && plain).then(|| below(starts.unwrap_or_default(), true))
            }
            _ => None,
        }
    }

    /// Whether a program hands on whole lines of its input, and nothing else.
    fn only_selects(&self, command: &SimpleCommand) -> bool {
        let Some(name) = command.name().map(base_name) else {
            return false;
        };
        let Some(program) = self.table.get(name) else {
            return false;
        };
        let arguments: Vec<Argument<'_>> = command.words.iter().skip(1).map(Argument::of_word).collect();
        let reading = read(self.table, program, &arguments);
        let reads = reading
            .acts
            .iter()
            .any(|act| matches!(act.role, crate::commands::Role::Path(_)));
        let options = reading.options.iter().map(|(name, _)| name.as_str());
        let mut others = options.filter(|name| {
            !matches!(
                *name,
                "-v" | "-i" | "-E" | "-F" | "-e" | "-w" | "-u" | "-r" | "-n" | "-z" | "-x"
            ) && !name
                .trim_start_matches('-')
                .bytes()
                .all(|byte| byte.is_ascii_digit())
        });
        let numbers = name == "grep" && reading.options.iter().any(|(name, _)| name == "-n");
        matches!(name, "grep" | "egrep" | "sort" | "uniq" | "head" | "tail")
            && reading.misread.is_none()
            && !reads
            && !numbers
            && others.next().is_none()
    }
}

/// What `find` finds; `runs`: for what it runs itself, so that what it prints is no matter.
fn of_find(command: &SimpleCommand, runs: bool) -> Option<Found> {
    let words: Vec<Option<&str>> = command.words.iter().skip(1).map(Word::literal).collect();
    let begins =
        |word: &Option<&str>| word.is_none_or(|word| !word.starts_with(['-', '(', '!']) && word != ",");
    let count = words.iter().take_while(|word| begins(word)).count();
    let (starts, tests) = words.split_at(count);
    let mut starts: Vec<String> = starts
        .iter()
        .map(|word| word.map(str::to_owned))
        .collect::<Option<_>>()?;
    if starts.is_empty() {
        starts.push(".".to_owned());
    }
    let mut found = Found {
        starts,
        names: Vec::new(),
        files_only: false,
        splits: false,
    };
    let mut rest = tests.iter();
    let mut pruned = false;
    let mut explicit = false;
    while let Some(word) = rest.next() {
        match (*word)? {
            "-exec" if runs => return Some(found),
            "-name" => found.names.push((*rest.next()?)?.to_owned()),
            "-type" => found.files_only |= *rest.next()? == Some("f"),
            "-iname" | "-path" | "-ipath" | "-size" | "-mtime" | "-mmin" | "-newer" | "-maxdepth"
            | "-mindepth" | "-perm" | "-user" => drop(rest.next()?),
            // What it excludes makes what is found no more.
            "-not" | "!" => match (*rest.next()?)? {
                "-name" | "-iname" | "-path" | "-ipath" | "-type" | "-newer" => drop(rest.next()?),
                "-empty" => {}
                _ => return None,
            },
            "-prune" => pruned = true,
            // Only what stands behind is told, where it says so.
            "-o" | "-or" if pruned => {
                pruned = false;
                explicit = true;
                found.names.clear();
                found.files_only = false;
            }
            "-print" | "-print0" => explicit = false,
            "-a" | "-and" | "-empty" | "-mount" | "-xdev" | "-depth" | "-readable" | "-writable" => {}
            _ => return None,
        }
    }
    (!runs && !explicit && !pruned).then_some(found)
}
