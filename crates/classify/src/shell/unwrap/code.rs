//! Programs that can run more than their words say.

use super::super::{Piece, Word};
use super::table::Code;

/// The word that makes the program run something that stands nowhere as a command.
pub(super) fn hidden<'a>(code: &Code, name: &'a Word, arguments: &'a [Word]) -> Option<&'a Word> {
    if code.always || (code.input && reads_input(arguments)) {
        return Some(name);
    }
    let mut before = "";
    let mut subcommand = None;
    let mut operands_only = false;
    for (at, word) in arguments.iter().enumerate() {
        let valued = before.starts_with('-') && !before.contains('=') && word.is_single();
        let skipped = code.valued.iter().any(|option| option == before);
        before = word.literal().unwrap_or_default();
        let moves = code.literal && word.is_dynamic();
        if moves || code.contains.iter().any(|part| has(word, part)) {
            return Some(word);
        }
        if operands_only || skipped {
            continue;
        }
        operands_only = before == "--";
        if word.may_be_option() && !valued {
            return Some(word);
        }
        let options = subcommand.and_then(|subcommand: &str| code.within.get(subcommand));
        let bundled = code.bundled && at == 0;
        if is_option(&code.options, word, bundled)
            || (subcommand.is_none() && is_option(&code.leading, word, false))
            || options.is_some_and(|options| is_option(options, word, false))
            || (subcommand.is_none() && code.words.iter().any(|one| one == before))
        {
            return Some(word);
        }
        if subcommand.is_none() && !before.starts_with('-') {
            subcommand = Some(before);
        }
    }
    None
}

/// Whether there is nothing but options: then the program reads its standard input.
fn reads_input(arguments: &[Word]) -> bool {
    let operand = |word: &Word| word.is_dynamic() || !word.known_start().starts_with('-');
    let asks = |word: &Word| matches!(word.literal(), Some("--version" | "-V" | "--help" | "-h"));
    !arguments.iter().any(|word| operand(word) || asks(word))
}

/// Whether a word is one of the options: alone, with a value attached, joined with others, or abbreviated.
fn is_option(options: &[String], word: &Word, bundled: bool) -> bool {
    let start = word.known_start();
    let name = start.split_once('=').map_or(start, |(name, _)| name);
    options.iter().any(|option| match option.strip_prefix("--") {
        Some(long) => name
            .strip_prefix("--")
            .is_some_and(|name| !name.is_empty() && (long.starts_with(name) || word.is_dynamic())),
        None => {
            let letter = option.get(1..).unwrap_or_default();
            let letters = match start.strip_prefix('-') {
                Some(letters) => Some(letters).filter(|letters| !letters.starts_with('-')),
                None => bundled.then_some(start),
            };
            letters.is_some_and(|letters| letters.contains(letter))
        }
    })
}

/// Whether a text stands in what is known of a word.
fn has(word: &Word, part: &str) -> bool {
    let within = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains(part));
    word.literal().is_some_and(|text| text.contains(part)) || word.pieces().iter().any(within)
}
