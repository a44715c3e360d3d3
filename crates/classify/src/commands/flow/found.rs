//! What `find` finds, and lists of files that are handed to `xargs`: places below a directory that is known.

use super::Flow;
use crate::commands::{Argument, base_name, read};
use crate::shell::{Descriptor, GroupKind, Input, Part, Redirection, SimpleCommand, Word};

/// Most programs in a pipe that are followed.
const LONGEST: usize = 6;
/// Some of the files below these directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The directories, as they are written; what is found begins with one of them.
    pub(crate) starts: Vec<String>,
    /// Lists of patterns: each name fits one of each. Without any, all do.
    pub(crate) names: Vec<Vec<String>>,
    /// No directory is among them.
    pub(crate) files_only: bool,
    /// Links are among them, even so, and repositories within.
    pub(crate) links: bool,
    /// Each begins with its start; where it does not, one may be an option.
    pub(crate) rooted: bool,
    /// A name with a blank or a quote becomes several words.
    pub(crate) splits: bool,
    /// Neither a name that begins with a dot, nor what is below one.
    pub(crate) visible: bool,
    /// No test leaves one out, but those of the kind and the depth.
    pub(crate) all: bool,
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
            "find" => self.of_find(runner, command, true),
            "xargs" => self.handed(runner, command),
            _ => None,
        }
    }

    /// What is piped into `xargs`.
    fn handed(&self, runner: usize, xargs: &SimpleCommand) -> Option<Found> {
        let mut words = xargs.words.iter().skip(1).map(Word::literal);
        let mut zero = false;
        loop {
            let word = words.next()??;
            match word {
                "-0" | "--null" | "-0r" | "-r0" => zero = true,
                "-r" | "--no-run-if-empty" | "-t" => {}
                "-n" | "-P" | "-L" if is_number(words.next()??) => {}
                "-I" => drop(words.next()??),
                _ if !word.starts_with('-') => break,
                _ if word.starts_with("-I") => {}
                _ if ["-n", "-P", "-L"]
                    .iter()
                    .any(|option| word.strip_prefix(option).is_some_and(is_number)) => {}
                _ => return None,
            }
        }
        self.fed(runner, zero)
    }

    /// The files whose names are piped into a command, parted by zeros or by lines.
    pub(super) fn fed(&self, at: usize, zero: bool) -> Option<Found> {
        match self.script.input(at) {
            Input::Pipe(Part::Command(feeder)) => self.printed(feeder, zero),
            _ => None,
        }
    }

    /// The files whose names a command prints, by itself or as it gets them.
    pub(super) fn printed(&self, mut at: usize, zero: bool) -> Option<Found> {
        let mut all = true;
        let mut names = Vec::new();
        for _ in 0..LONGEST {
            let command = self.script.commands().get(at)?;
            if command
                .redirections
                .iter()
                .any(|one| !one.is_input() && !complains_to_nobody(one))
            {
                return None;
            }
            if let Some(mut found) = self.list_of(at, command) {
                found.all &= all;
                found.names.extend(names);
                let prints_zero = self.parts_by_zeros(command);
                found.splits = !zero;
                return (zero == prints_zero).then_some(found);
            }
            let Input::Pipe(Part::Command(feeder)) = self.script.input(at) else {
                return None;
            };
            if !self.only_selects(command) {
                return None;
            }
            all = false;
            names.extend(ends_of(command));
            at = feeder;
        }
        None
    }

    /// The files that a program lists.
    fn list_of(&self, at: usize, command: &SimpleCommand) -> Option<Found> {
        let name = base_name(command.name()?);
        if name == "find" {
            return self.of_find(at, command, false);
        }
        let words: Vec<&str> = command
            .words
            .iter()
            .skip(1)
            .map(Word::literal)
            .collect::<Option<_>>()?;
        let below = |starts: Vec<String>| Found {
            starts,
            names: Vec::new(),
            files_only: true,
            links: name == "git",
            rooted: false,
            splits: true,
            visible: false,
            all: false,
        };
        match (name, words.as_slice()) {
            ("git", ["ls-files", rest @ ..]) => {
                let flag = |word: &str| {
                    matches!(
                        word,
                        "-z" | "-o" | "--others" | "--exclude-standard" | "-m" | "-c" | "--"
                    )
                };
                let (flags, operands): (Vec<&str>, Vec<&str>) =
                    rest.iter().partition(|word| word.starts_with('-'));
                let behind = rest.iter().skip_while(|word| **word != "--").skip(1);
                let here = || below(vec![".".to_owned()]);
                let found = match operands.as_slice() {
                    [] => here(),
                    // A star of git reaches across directories, so that only its tail is told by the name.
                    all if all
                        .iter()
                        .all(|name| name.strip_prefix('*').is_some_and(is_plain)) =>
                    {
                        Found {
                            names: vec![all.iter().map(|name| (*name).to_owned()).collect()],
                            ..here()
                        }
                    }
                    all if all.iter().all(|one| is_below(one)) => {
                        below(all.iter().map(|one| (*one).to_owned()).collect())
                    }
                    _ => return None,
                };
                let plain =
                    flags.into_iter().all(flag) && !behind.into_iter().any(|word| word.starts_with('-'));
                plain.then_some(found)
            }
            // Names below the root of the repository, and none of them climbs.
            ("git", ["diff", rest @ ..]) => {
                let flag = |word: &&&str| {
                    matches!(
                        **word,
                        "--" | "--name-only" | "--cached" | "--staged" | "--relative"
                    ) || word.starts_with("--diff-filter=")
                };
                let names = rest.contains(&"--name-only");
                let plain = |word: &&&str| flag(word) || !word.starts_with('-') && is_below(word);
                let all = rest.iter().filter(|word| plain(word)).count() == rest.len();
                (names && all).then(|| below(vec![".".to_owned()]))
            }
            ("rg" | "grep" | "egrep" | "fd" | "fdfind", _) => self.searched(name, command),
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

/// Whether a redirection throws complaints away, and nothing else.
fn complains_to_nobody(one: &Redirection) -> bool {
    one.descriptor == Some(Descriptor::Number(2)) && one.operand.literal() == Some("/dev/null")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The patterns of names that `grep` keeps, where it keeps those with some endings: `grep '\.py$'`.
fn ends_of(command: &SimpleCommand) -> Option<Vec<String>> {
    let words: Option<Vec<&str>> = command.words.iter().map(Word::literal).collect();
    let words = words?;
    let (pattern, extended) = match words.as_slice() {
        ["grep", pattern] => (*pattern, false),
        ["egrep", pattern] | ["grep", "-E", pattern] => (*pattern, true),
        _ => return None,
    };
    let ending = pattern.strip_prefix("\\.")?.strip_suffix('$')?;
    let inner = ending
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(ending);
    let plain = |one: &str| !one.is_empty() && one.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let ends: Vec<&str> = inner.split('|').collect();
    let several = if extended {
        ends.len() == 1 || inner.len() < ending.len()
    } else {
        inner == ending
    };
    (several && ends.iter().all(|one| plain(one)))
        .then(|| ends.iter().map(|one| format!("*.{one}")).collect())
}

/// Whether a text is one name, without anything that git reads.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', ':', '\\', '*', '?', '['])
}

/// Whether git reads an operand as a place below the directory it is in.
fn is_below(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('/')
        && !text.contains([':', '\\', '*', '?', '['])
        && text.split('/').all(|part| part != "..")
}
