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
            all: true,
        };
        let mut rest = tests.iter();
        let mut pruned = false;
        let mut explicit = false;
        let mut acted = false;
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
                "-o" | "-or" if pruned && !acted => {
                    pruned = false;
                    explicit = true;
                    found.names.clear();
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
        (!runs && !explicit && !pruned).then_some(found)
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
