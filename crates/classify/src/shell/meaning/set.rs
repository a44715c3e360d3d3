//! `set`: options that change how a text is read are not among the plain ones.

use super::super::{Reason, Word};
use super::Findings;

/// Letters that change when a shell stops, what it prints, or whether it expands names of files.
const LETTERS: &str = "aefhuvxCEB";
/// Long names of these.
pub(in super::super) const NAMES: &[&str] = &[
    "allexport",
    "braceexpand",
    "emacs",
    "errexit",
    "errtrace",
    "hashall",
    "noclobber",
    "noglob",
    "nounset",
    "pipefail",
    "verbose",
    "vi",
    "xtrace",
];

impl Findings {
    pub(super) fn set(&mut self, arguments: &[Word]) {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let Some(text) = word.literal() else {
                return self.add(Reason::ShellState, word);
            };
            let Some(letters) = text.strip_prefix(['-', '+']) else {
                // The rest are parameters.
                return;
            };
            if matches!(text, "--" | "-" | "+") {
                return;
            }
            let plain = letters.strip_suffix('o').unwrap_or(letters);
            if !plain.chars().all(|letter| LETTERS.contains(letter)) {
                return self.add(Reason::ShellState, word);
            }
            if plain.len() == letters.len() {
                continue;
            }
            // `-o` takes the next word; without one it lists.
            match words.next().map(Word::literal) {
                None => return,
                Some(Some(name)) if NAMES.contains(&name) => {}
                Some(_) => return self.add(Reason::ShellState, word),
            }
        }
    }
}
