//! Whether a call is one of the listed commands.

use portcullis_classify::shell::{Script, Word};

/// Whether some command of the list can become this call. A literal is exactly itself, a dynamic word anything.
pub(crate) fn is_listed(script: &Script, argv: &[String]) -> bool {
    script.commands().iter().any(|command| {
        let words = command.words.as_slice();
        becomes(words, argv) || behind(words).is_some_and(|words| becomes(words, argv))
    })
}

/// The words behind builtins that run another command.
fn behind(words: &[Word]) -> Option<&[Word]> {
    let (first, rest) = words.split_first()?;
    match first.literal()? {
        "command" | "builtin" | "exec" => behind(rest).or(Some(rest)),
        _ => None,
    }
}

fn becomes(words: &[Word], argv: &[String]) -> bool {
    let Some((word, words)) = words.split_first() else {
        return argv.is_empty();
    };
    match word.literal() {
        Some(text) => argv
            .split_first()
            .is_some_and(|(first, rest)| first == text && becomes(words, rest)),
        None if word.is_single() => argv.split_first().is_some_and(|(_, rest)| becomes(words, rest)),
        None => (0..=argv.len()).any(|taken| becomes(words, argv.get(taken..).unwrap_or_default())),
    }
}
