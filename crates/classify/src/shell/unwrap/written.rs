//! Programs that the text itself writes before it runs them: what they do stands nowhere yet.

use std::collections::HashSet;

use super::super::{Doubt, Reason, Script};

/// Adds a doubt about each command that is a file which a redirection of the same script writes.
pub(super) fn doubt(script: &Script, doubts: &mut Vec<Doubt>) {
    let commands = script.commands().iter().flat_map(|one| &one.redirections);
    let groups = script.groups().iter().flat_map(|one| &one.redirections);
    let files = commands
        .chain(groups)
        .filter_map(|redirection| redirection.file()?.literal());
    let files: HashSet<_> = files.map(parts).collect();
    let named = script.commands().iter().filter_map(|one| one.words.first());
    let ours = named.filter(|word| {
        let path = word.literal().filter(|path| path.contains('/'));
        path.is_some_and(|path| files.contains(&parts(path)))
    });
    let about = ours.map(|word| Doubt::new(Reason::HiddenWork, word.place()));
    doubts.extend(about.take(64));
}

/// The parts of a path that count: `./a` is `a`.
fn parts(path: &str) -> Vec<&str> {
    path.split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect()
}
