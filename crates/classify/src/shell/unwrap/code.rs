//! Programs that can run more than their words say.

use super::super::{Piece, Word};
use super::table::Code;

/// The word that makes the program run something that stands nowhere as a command.
pub(super) fn hidden<'a>(code: &Code, name: &'a Word, arguments: &'a [Word]) -> Option<&'a Word> {
    if code.always {
        return Some(name);
    }
    let reads_input = !arguments
        .iter()
        .any(|word| !word.known_start().starts_with('-') || word.is_dynamic())
        && !arguments.iter().any(|word| word.literal().is_some_and(asks));
    if code.input && reads_input {
        return Some(name);
    }
    let mut before = "";
    let mut operands_only = false;
    for word in arguments {
        let start = word.known_start();
        let valued = before.starts_with('-') && word.is_single();
        before = word.literal().unwrap_or_default();
        let moves = code.literal && word.is_dynamic();
        if moves || code.contains.iter().any(|part| has(word, part)) {
            return Some(word);
        }
        if operands_only {
            continue;
        }
        operands_only = before == "--";
        let may_be_option = word.is_dynamic() && start.is_empty() && !valued;
        if may_be_option || is_option(code, word) || code.words.iter().any(|one| one == before) {
            return Some(word);
        }
    }
    None
}

/// Whether a word is one of the options, alone, with a value attached, joined with others, or abbreviated.
fn is_option(code: &Code, word: &Word) -> bool {
    let start = word.known_start();
    let name = start.split_once('=').map_or(start, |(name, _)| name);
    code.options.iter().any(|option| match option.strip_prefix("--") {
        Some(long) => name
            .strip_prefix("--")
            .is_some_and(|name| !name.is_empty() && (long.starts_with(name) || word.is_dynamic())),
        None => {
            let letter = option.get(1..).unwrap_or_default();
            !start.starts_with("--") && start.strip_prefix('-').is_some_and(|rest| rest.contains(letter))
        }
    })
}

/// Options after which no code is read.
fn asks(text: &str) -> bool {
    matches!(text, "--version" | "-V" | "--help" | "-h")
}

/// Whether a text stands in what is known of a word.
fn has(word: &Word, part: &str) -> bool {
    let within = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains(part));
    word.literal().is_some_and(|text| text.contains(part)) || word.pieces().iter().any(within)
}
