//! What is downloaded and run without a look: by a pipe, a substitution, or a file in between.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::Text;
use super::runners::RUNNERS;
use super::sources::{self, Source, parts};
use crate::EffectKind;
use crate::assess::gather::Stop;
use crate::commands::{Fact, Reading, Role, Value, base_name, read_named, spelled};
use crate::policy::builtin::rules;
use crate::shell::{GroupKind, Input, Part, Piece, SimpleCommand, Word};

/// How far a value is followed from one variable to the next, against the order in which they stand.
const STEPS: usize = 4;
/// Programs that put files there out of one.
const UNPACKERS: &[&str] = &["7z", "7za", "bsdtar", "cpio", "gtar", "tar", "unar", "unzip"];

impl Text<'_, '_, '_> {
    pub(super) fn downloads(&mut self) -> Result<(), Stop> {
        if self.fetching.is_empty() {
            return Ok(());
        }
        let script = self.flow.script();
        let mut sources: Vec<Option<Source>> = Vec::new();
        sources.resize_with(script.commands().len(), || None);
        for number in &self.fetching {
            if let Some(place) = sources.get_mut(*number) {
                *place = self.source(*number);
            }
        }
        let mut search = Search {
            text: self,
            sources: &sources,
            variables: HashMap::new(),
            groups: HashMap::new(),
            writers: OnceCell::new(),
        };
        search.find_groups();
        for _ in 0..STEPS {
            let Some(more) = search.held() else { break };
            search.variables = more;
        }
        let found: Vec<(usize, String)> = (0..script.commands().len())
            .filter_map(|number| Some((number, search.origin(number)?)))
            .collect();
        for (number, from) in found {
            self.downloaded(number, &from)?;
        }
        Ok(())
    }

    /// The cause of what is downloaded and run at once.
    fn downloaded(&mut self, number: usize, from: &str) -> Result<(), Stop> {
        let text = format!("runs what `{from}` downloads, unseen");
        self.plain(
            Some(number),
            EffectKind::Execute,
            "",
            rules::DOWNLOAD_RUN.because(&text),
        )
    }
}

pub(super) struct Search<'t, 'g, 'a, 's> {
    pub(super) text: &'t Text<'g, 'a, 's>,
    sources: &'t [Option<Source>],
    /// What each variable that holds a download got it from.
    pub(super) variables: HashMap<&'t str, String>,
    /// The download that stands in a group, at any depth.
    groups: HashMap<usize, String>,
    /// The commands that write each file, once it is asked.
    writers: OnceCell<HashMap<Vec<String>, Vec<usize>>>,
}

impl<'t> Search<'t, '_, '_, '_> {
    /// The download that a command runs.
    fn origin(&self, number: usize) -> Option<String> {
        let flow = self.text.flow;
        let script = flow.script();
        let command = script.commands().get(number)?;
        let Some(name) = command.name() else {
            // What was downloaded says which program runs.
            let first = command
                .words
                .first()
                .filter(|first| first.known_start().is_empty());
            return self.in_text(first?);
        };
        if matches!(name, "trap" | "alias") {
            // It runs later, or never: nobody knows, and nobody looks at it before.
            return command.words.iter().skip(1).find_map(|word| self.in_text(word));
        }
        let (_, arguments) = spelled(flow, number, command)?;
        let reading = read_named(self.text.table, name, &arguments);
        let runs = RUNNERS.contains(&base_name(name))
            || reading
                .as_ref()
                .is_some_and(|reading| reading.facts.contains(&Fact::InputCode));
        let behind_xargs = name == "xargs" || name == "parallel";
        if runs || behind_xargs {
            let by_input = self
                .feeds(number, 0)
                .filter(|_| reads_code(base_name(name), &command.words));
            let by_word = command.words.iter().skip(1).find_map(|word| self.in_word(word));
            let by_word = by_word.or_else(|| self.in_code(command));
            let by_text = command.redirections.iter().find_map(|one| {
                self.in_text(&one.operand)
                    .or_else(|| self.in_text(one.body.as_ref()?))
            });
            let wrapped = || {
                let runs_shell = command.words.iter().any(|word| {
                    word.literal()
                        .is_some_and(|text| RUNNERS.contains(&base_name(text)))
                });
                runs || runs_shell
            };
            if let Some(found) = by_input.or(by_word).or(by_text).filter(|_| wrapped()) {
                return Some(found);
            }
        }
        self.by_file(number, name, reading.as_ref(), runs)
    }

    /// A download that stands in the pipeline before the command.
    pub(super) fn feeds(&self, number: usize, depth: usize) -> Option<String> {
        let script = self.text.flow.script();
        if depth > script.commands().len() {
            return None;
        }
        match script.input(number) {
            Input::Pipe(part) => self.within(part).or_else(|| match part {
                Part::Command(number) => self.feeds(number, depth + 1),
                Part::Group(group) => {
                    let first = self.commands_in(group).next()?;
                    self.feeds(first, depth + 1)
                }
            }),
            Input::Redirection(redirection) => {
                let body = redirection.body.as_ref();
                let operand = &redirection.operand;
                body.and_then(|body| self.in_text(body))
                    .or_else(|| self.in_text(operand))
                    .or_else(|| {
                        let file = redirection.file()?.literal().map(parts)?;
                        self.written_to(&file)
                    })
            }
            _ => None,
        }
    }

    /// A download in a part of a pipeline.
    fn within(&self, part: Part) -> Option<String> {
        match part {
            Part::Command(number) => self.name_of(number).or_else(|| self.printed(number)).or_else(|| {
                let behind = |group: &crate::shell::Group| group.kind == GroupKind::Behind(number);
                let script = self.text.flow.script();
                let group = script.groups().iter().position(behind)?;
                self.within(Part::Group(group))
            }),
            Part::Group(group) => self
                .commands_in(group)
                .find_map(|number| self.name_of(number).or_else(|| self.printed(number))),
        }
    }

    /// A download among the words of a command that may print it: `echo "$(curl …)"`.
    fn printed(&self, number: usize) -> Option<String> {
        let command = self.text.flow.script().commands().get(number)?;
        let bodies = command
            .redirections
            .iter()
            .filter(|one| one.is_input())
            .flat_map(|one| one.body.as_ref().into_iter().chain([&one.operand]));
        let mut words = command.words.iter().skip(1).chain(bodies);
        words.find_map(|word| self.in_text(word))
    }

    /// A download in a word that is code: any of `eval`, the one behind `-c` or `-e`.
    fn in_code(&self, command: &SimpleCommand) -> Option<String> {
        let all = command.name() == Some("eval");
        let is_flag = |word: &Word| {
            let letters = word.literal().and_then(|text| text.strip_prefix('-'));
            letters.is_some_and(|letters| letters.ends_with(['c', 'e']))
        };
        command.words.windows(2).find_map(|pair| match pair {
            [before, word] if all || is_flag(before) => self.in_text(word),
            _ => None,
        })
    }

    /// A download that a word holds, also by way of a variable.
    pub(super) fn in_text(&self, word: &Word) -> Option<String> {
        self.in_word(word).or_else(|| {
            word.pieces().iter().find_map(|piece| match piece {
                Piece::Variable { name, .. } => {
                    let name = name.split('[').next().unwrap_or_default();
                    self.variables.get(name).cloned()
                }
                _ => None,
            })
        })
    }

    fn find_groups(&mut self) {
        let script = self.text.flow.script();
        for (source, command) in self.sources.iter().zip(script.commands()) {
            let Some(source) = source else { continue };
            let mut seat = command.seat.group;
            while let Some(group) = seat
                && self.groups.insert(group, source.name.clone()).is_none()
            {
                seat = script.groups().get(group).and_then(|one| one.seat.group);
            }
        }
    }

    fn name_of(&self, number: usize) -> Option<String> {
        Some(self.sources.get(number)?.as_ref()?.name.clone())
    }

    /// Every command that stands in a group, at any depth.
    fn commands_in(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        let script = self.text.flow.script();
        (0..script.commands().len()).filter(move |number| {
            let mut seat = script.commands().get(*number).and_then(|one| one.seat.group);
            for _ in 0..=script.groups().len() {
                match seat {
                    Some(at) if at == group => return true,
                    Some(at) => seat = script.groups().get(at).and_then(|one| one.seat.group),
                    None => return false,
                }
            }
            false
        })
    }

    /// A download whose output becomes a part of a word.
    fn in_word(&self, word: &Word) -> Option<String> {
        word.pieces().iter().find_map(|piece| match piece {
            Piece::Substitution { group, .. } => self.groups.get(group).cloned(),
            _ => None,
        })
    }

    /// A download that is run from the file to which it was written.
    fn by_file(
        &self,
        number: usize,
        name: &str,
        reading: Option<&Reading<'_, '_>>,
        runs: bool,
    ) -> Option<String> {
        let flow = self.text.flow;
        let command = flow.script().commands().get(number)?;
        let mut files: Vec<Vec<String>> = Vec::new();
        if name.contains('/') {
            files.push(parts(name));
        }
        if runs {
            files.extend(command.words.iter().skip(1).filter_map(Word::literal).map(parts));
        }
        if let Some(reading) = reading {
            let executes = reading
                .acts
                .iter()
                .filter(|act| act.role == Role::Path(crate::commands::PathRole::Execute));
            let values = executes.flat_map(|act| act.argument.values());
            files.extend(values.filter_map(Value::literal).map(parts));
        }
        files
            .iter()
            .filter(|file| !file.is_empty())
            .find_map(|file| self.written_to(file))
            .or_else(|| self.out_of_an_archive(number, &files))
    }

    /// A download that was unpacked before, when one of these files is not there: nothing else brings it.
    fn out_of_an_archive(&self, number: usize, files: &[Vec<String>]) -> Option<String> {
        let script = self.text.flow.script();
        let unpacked = script
            .commands()
            .iter()
            .take(number)
            .enumerate()
            .find_map(|(before, command)| {
                let name = base_name(command.name()?);
                if !UNPACKERS.contains(&name) {
                    return None;
                }
                let named = || {
                    let mut words = command.words.iter().skip(1).filter_map(Word::literal);
                    words.find_map(|word| self.written_to(&parts(word)))
                };
                self.feeds(before, 0).or_else(named)
            })?;
        let directories = self.text.flow.directories(Part::Command(number));
        let is_new = |file: &Vec<String>| {
            let looks_like_one = file.len() > 1 || file.iter().any(|name| name.contains('.'));
            let is_option = file.first().is_some_and(|name| name.starts_with('-'));
            looks_like_one && !is_option && !self.text.is_there(&file.join("/"), directories)
        };
        files.iter().any(is_new).then_some(unpacked)
    }

    /// The download that is written to a file, by itself or by what stands behind it in a pipeline.
    fn written_to(&self, file: &[String]) -> Option<String> {
        let mut sources = self.sources.iter().flatten();
        if let Some(source) = sources.find(|source| source.files.contains(file)) {
            return Some(source.name.clone());
        }
        let writers = self.writers.get_or_init(|| self.written());
        let mut numbers = writers.get(file)?.iter();
        numbers.find_map(|number| self.feeds(*number, 0))
    }

    /// The commands that write each file, in their order. Read once: a text may name many files.
    fn written(&self) -> HashMap<Vec<String>, Vec<usize>> {
        let script = self.text.flow.script();
        let mut writers: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, command) in script.commands().iter().enumerate() {
            let mut written = self.text.redirected(Part::Command(number));
            if let Some((name, arguments)) = spelled(self.text.flow, number, command)
                && let Some(reading) = read_named(self.text.table, name, &arguments)
            {
                written.extend(sources::written(&reading));
            }
            for file in written {
                writers.entry(file).or_default().push(number);
            }
        }
        writers
    }
}

/// Whether an interpreter takes its input for code: a program that is told another way reads data there, unless what it is
/// told evaluates something.
fn reads_code(name: &str, words: &[Word]) -> bool {
    const TOLD: &[&str] = &[
        "deno", "lua", "node", "nodejs", "perl", "php", "pypy3", "python", "python2", "python3", "ruby",
    ];
    const TELLS: &[&str] = &[
        "--eval", "--print", "-E", "-c", "-e", "-m", "-n", "-ne", "-p", "-pe", "-r",
    ];
    const EVALUATES: &[&str] = &["eval", "exec", "popen", "spawn", "subprocess", "system"];
    if !TOLD.contains(&name) {
        return true;
    }
    let texts: Option<Vec<&str>> = words.iter().skip(1).map(Word::literal).collect();
    let Some(texts) = texts else { return true };
    let is_input = |text: &&str| matches!(*text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0");
    let told = texts
        .iter()
        .any(|text| TELLS.contains(text) || !text.starts_with('-'));
    let evaluates = |text: &&str| EVALUATES.iter().any(|word| text.contains(word));
    !told || texts.iter().any(|text| is_input(text) || evaluates(text))
}
