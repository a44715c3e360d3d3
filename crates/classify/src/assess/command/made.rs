//! What a text writes by a name and then runs: nobody can look at it before it runs. What is there already is told apart by
//! what it is in `fresh`; here it is what will be there, what is made of it, and what says what others run.

use std::collections::HashSet;

use portcullis_paths::Operation;

use super::Text;
use super::spot::Spot;
use crate::assess::gather::Stop;
use crate::commands::flow::{Directories, Directory};
use crate::commands::written::{collapsed, joined};
use crate::commands::{Argument, PathRole, Value, base_name, read, spelled};
use crate::policy::builtin::rules;
use crate::shell::{Operator, Part};
use crate::{Cause, EffectKind};

/// Programs that put into a file what they are told to, or what lies elsewhere. What compilers and formatters write is
/// made of the project.
const WRITERS: &[&str] = &[
    "awk", "base64", "cp", "curl", "dd", "ed", "ex", "gawk", "gcp", "gsed", "install", "ln", "mv", "openssl",
    "patch", "perl", "rsync", "sed", "sponge", "split", "tee", "wget", "xxd",
];
/// Programs that make one that runs of a text.
const COMPILERS: &[&str] = &[
    "c++", "cc", "clang", "clang++", "g++", "gcc", "ghc", "go", "javac", "nim", "rustc", "zig",
];
/// Files that say what builders, runners of tests and package managers run.
const RECIPES: &[&str] = &[
    "Makefile",
    "makefile",
    "GNUmakefile",
    "BSDmakefile",
    "package.json",
    "justfile",
    "Justfile",
    ".justfile",
    "Taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "Taskfile.dist.yaml",
    "taskfile.dist.yml",
    "taskfile.dist.yaml",
    "Rakefile",
    "rakefile",
    "Rakefile.rb",
    "rakefile.rb",
    "manage.py",
    "artisan",
    "build.rs",
    "setup.py",
    "conftest.py",
    "noxfile.py",
    "build.gradle",
    "build.gradle.kts",
    "CMakeLists.txt",
];

/// The files that a text writes.
#[derive(Debug, Default)]
pub(super) struct Made {
    files: HashSet<String>,
    /// A file that says what others run is among those whose text stands here.
    recipe: bool,
}

impl<'s> Text<'_, '_, 's> {
    /// Why a file that is run here asks all the same: the text has written it.
    pub(super) fn made_cause(&self, directory: &str, text: &str) -> Option<Cause> {
        let file = collapsed(&joined(directory, text));
        self.made()
            .files
            .contains(&file)
            .then(|| rules::FRESH_CODE.cause())
    }

    /// Why running the project's code asks all the same: the text has written what it does.
    pub(super) fn recipe_cause(&self) -> Option<Cause> {
        let alone = self.flow.script().commands().len() < 2;
        (!alone && self.made().recipe).then(|| rules::FRESH_CODE.cause())
    }

    /// What is run in a directory that the text has just made, or of a file there, was put there by it.
    pub(super) fn runs_fresh(&mut self, spot: Spot<'_, '_>, shown: &str) -> Result<(), Stop> {
        let cause = rules::FRESH_CODE.cause();
        self.plain(spot.command, EffectKind::Execute, shown, cause)
    }

    fn made(&self) -> &Made {
        self.made.get_or_init(|| self.find_made())
    }

    fn find_made(&self) -> Made {
        let flow = self.flow;
        let mut made = Made::default();
        for (at, redirection) in flow.redirections() {
            if let Some(word) = redirection.file()
                && redirection.operator != Operator::Read
            {
                let argument = flow.argument(at, word);
                made.note(&argument, flow.directories(at), &[], true);
            }
        }
        for (number, command) in flow.script().commands().iter().enumerate() {
            let Some((name, arguments)) = spelled(flow, number, command) else {
                continue;
            };
            let base = base_name(name);
            let known = WRITERS.contains(&base) || COMPILERS.contains(&base);
            let Some(program) = self.table.get(base).filter(|_| known) else {
                continue;
            };
            let reading = read(self.table, program, &arguments);
            let sources: Vec<&Argument<'s>> = reading.acts.iter().map(|act| &act.argument).collect();
            let directories = flow.directories(Part::Command(number));
            let is_of_made = COMPILERS.contains(&base)
                && sources
                    .iter()
                    .any(|source| source.text() == Some("-") || made.holds(source, directories));
            if is_of_made {
                made.note(&Argument::literal("a.out"), directories, &[], false);
            }
            for act in &reading.acts {
                let writes = matches!(
                    act.role.path(),
                    Some(
                        PathRole::Of(Operation::Write) | PathRole::Put | PathRole::MoveTo | PathRole::LinkTo
                    )
                );
                if writes && (WRITERS.contains(&base) || is_of_made) {
                    made.note(&act.argument, directories, &sources, base == "tee");
                }
            }
        }
        made
    }
}

impl Made {
    /// Whether one of the files is this one.
    fn holds(&self, argument: &Argument<'_>, directories: &Directories) -> bool {
        let mut texts = argument.values().iter().filter_map(Value::literal);
        texts.any(|text| {
            directories.known().iter().any(|directory| match directory {
                Directory::Path(directory) => self.files.contains(&collapsed(&joined(directory, text))),
                Directory::Fresh(_) => false,
            })
        })
    }

    fn note(
        &mut self,
        argument: &Argument<'_>,
        directories: &Directories,
        sources: &[&Argument<'_>],
        is_text: bool,
    ) {
        for text in argument.values().iter().filter_map(Value::literal) {
            let last = text.rsplit('/').next().unwrap_or_default();
            self.recipe |= is_text && RECIPES.contains(&last);
            let inside = sources.iter().flat_map(|source| source.values());
            let inside =
                inside.filter_map(|value| value.literal()?.rsplit('/').find(|part| !part.is_empty()));
            let all: Vec<String> = std::iter::once(text.to_owned())
                .chain(inside.map(|name| format!("{text}/{name}")))
                .collect();
            for directory in directories.known() {
                let Directory::Path(directory) = directory else {
                    continue;
                };
                self.files
                    .extend(all.iter().map(|text| collapsed(&joined(directory, text))));
            }
        }
    }
}
