//! `parallel`: a command for each of the words behind `:::`. It stays a doubt, but what those commands would do counts.

use super::super::Word;
use super::Unwrapping;
use super::table::{Empty, Wrapper};
use crate::shell::MAX_DEPTH;

/// Most words that one command is read with.
const MOST: usize = 16;
/// What stands for the word.
const MARK: &str = "{}";

impl Unwrapping<'_> {
    pub(super) fn parallel(&mut self, number: usize, first: &Word, arguments: &[Word]) {
        if self.depths.get(number).is_none_or(|depth| *depth >= MAX_DEPTH) {
            return;
        }
        let mut parts = arguments.split(|word| word.literal() == Some(":::"));
        let is_option = |word: &&Word| word.known_start().starts_with('-');
        let command = parts.next().unwrap_or_default();
        let options = command.iter().take_while(is_option).count();
        // One word is a text with several, as a shell reads it.
        let command: Vec<Word> = command
            .iter()
            .skip(options)
            .flat_map(|word| match word.literal() {
                Some(text) => text
                    .split_whitespace()
                    .map(|part| Word::of_literal(part.to_owned(), word.place()))
                    .collect(),
                None => vec![word.clone()],
            })
            .collect();
        if command.is_empty() {
            return;
        }
        let marked = command.iter().any(|word| word.literal() == Some(MARK));
        for given in parts.flatten().take(MOST) {
            let fill = |word: &Word| match word.literal() {
                Some(MARK) => given.clone(),
                _ => word.clone(),
            };
            let mut words: Vec<Word> = command.iter().map(fill).collect();
            if !marked {
                words.push(given.clone());
            }
            self.words(&Wrapper::without_options(Empty::Nothing), number, first, words);
        }
    }
}
