//! What a `find` finds, by its starts and its tests.

use super::{Flow, Found};
use crate::shell::{Part, SimpleCommand, Word};

impl Flow<'_> {
    /// What `find` finds; `runs`: for what it runs itself, so that what it prints is no matter.
    pub(super) fn of_find(&self, number: usize, command: &SimpleCommand, runs: bool) -> Option<Found> {
        let words: Vec<Option<&str>> = command.words.iter().skip(1).map(Word::literal).collect();
        let begins =
            |word: &Option<&str>| word.is_none_or(|word| !word.starts_with(['-', '(', '!']) && word != ",");
        let count = words.iter().take_while(|word| begins(word)).count();
        let (starts, tests) = words.split_at(count);
        let mut starts: Vec<String> = command
            .words
            .iter()
            .skip(1)
            .take(starts.len())
            .map(|word| {
                self.argument(Part::Command(number), word)
                    .text()
                    .map(str::to_owned)
            })
            .collect::<Option<_>>()?;
        if starts.is_empty() {
            starts.push(".".to_owned());
        }
        let mut found = Found {
            starts,
            names: Vec::new(),
            files_only: false,
            links: false,
            rooted: true,
            splits: false,
            visible: false,
            all: true,
        };
        let mut rest = tests.iter();
        let mut pruned = false;
        let mut explicit = false;
        let mut acted = false;
        // What stands before another choice.
        let mut before: Vec<(Vec<Vec<String>>, bool)> = Vec::new();
        while let Some(word) = rest.next() {
            let word = (*word)?;
            found.all &= matches!(
                word,
                "-exec"
                    | "-execdir"
                    | "-ok"
                    | "-okdir"
                    | "-type"
                    | "-maxdepth"
                    | "-mindepth"
                    | "-print"
                    | "-print0"
                    | "-mount"
                    | "-xdev"
                    | "-depth"
            );
            match word {
                // What another action does, or one on another side, is not told by these tests.
                "-exec" | "-execdir" | "-ok" | "-okdir" if runs => {
                    return ends_with_command(rest.as_slice()).then_some(found);
                }
                // Tests behind it select nothing of what it prints.
                _ if acted && !runs => return None,
                "-name" => found.names.push(vec![(*rest.next()?)?.to_owned()]),
                "(" => found.names.extend(one_of(&mut rest)?),
                "-type" => found.files_only |= *rest.next()? == Some("f"),
                "-iname" | "-path" | "-ipath" | "-size" | "-mtime" | "-mmin" | "-newer" | "-maxdepth"
                | "-mindepth" | "-perm" | "-user" | "-regex" | "-iregex" | "-regextype" | "-wholename"
                | "-newermt" | "-cmin" | "-group" => drop(rest.next()?),
                // What it excludes makes what is found no more.
                "-not" | "!" => match (*rest.next()?)? {
                    "-name" | "-iname" | "-path" | "-ipath" | "-type" | "-newer" => drop(rest.next()?),
                    "-empty" => {}
                    "(" => drop(one_of(&mut rest)?),
                    _ => return None,
                },
                "-prune" => pruned = true,
                // Only what stands behind is told, where it says so.
                "-o" | "-or" if pruned && !acted => {
                    pruned = false;
                    explicit = true;
                    found.names.clear();
                    found.files_only = false;
                }
                "-o" | "-or" if !acted && !explicit => {
                    before.push((std::mem::take(&mut found.names), found.files_only));
                    found.files_only = false;
                }
                "-print" | "-print0" => {
                    explicit = false;
                    acted = true;
                }
                "-a" | "-and" | "-empty" | "-mount" | "-xdev" | "-depth" | "-readable" | "-writable" => {}
                _ => return None,
            }
        }
        if !before.is_empty() {
            before.push((found.names, found.files_only));
            found.files_only = before.iter().all(|(_, files_only)| *files_only);
            let any: Option<Vec<Vec<String>>> = before
                .into_iter()
                .map(|(names, _)| names.into_iter().next())
                .collect();
            found.names = any.map(|any| any.concat()).into_iter().collect();
        }
        (!runs && !explicit && !pruned).then_some(found)
    }
}

/// What stands in parentheses: names of which one fits. Other tests in them tell nothing, and select no more than all.
fn one_of<'w>(rest: &mut impl Iterator<Item = &'w Option<&'w str>>) -> Option<Option<Vec<String>>> {
    let mut names = Vec::new();
    let (mut only_names, mut joined) = (true, true);
    loop {
        match (*rest.next()?)? {
            ")" => return Some((only_names && !names.is_empty()).then_some(names)),
            "-name" => {
                names.push((*rest.next()?)?.to_owned());
                only_names &= std::mem::take(&mut joined);
            }
            "-iname" | "-path" | "-ipath" | "-type" | "-regex" | "-size" => {
                rest.next()?;
                only_names = false;
            }
            "-o" | "-or" => joined = true,
            "-not" | "!" => only_names = false,
            _ => return None,
        }
    }
}

/// Whether nothing stands behind the command of `-exec`, but what prints.
fn ends_with_command(words: &[Option<&str>]) -> bool {
    let mut before = "";
    let mut rest = words.iter();
    for word in rest.by_ref() {
        let Some(word) = word else { return false };
        if *word == ";" || *word == "+" && before == "{}" {
            return rest.all(|word| matches!(word, Some("-print" | "-print0")));
        }
        before = word;
    }
    false
}
