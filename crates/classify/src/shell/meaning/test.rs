//! `[` and `test`: `-v` and `-R` take the name of a variable and evaluate its subscript. Which word is the operator
//! depends on how many there are, so words that move are followed only where that cannot change it.

use super::super::{Doubt, Reason, Word};
use super::{Findings, is_name};

const BINARY: &[&str] = &[
    "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
];

impl Findings {
    pub(super) fn test(&mut self, name: &str, arguments: &[Word]) {
        let words = match arguments.split_last() {
            Some((last, words)) if name == "[" && last.literal() == Some("]") => words,
            _ => arguments,
        };
        for pair in words.windows(2) {
            if let [operator, operand] = pair
                && matches!(operator.literal(), Some("-v" | "-R"))
                && !operand.literal().is_some_and(is_name)
            {
                self.add(Reason::EvaluatedWord, operand);
            }
        }
        let Some(moving) = words.iter().find(|word| word.is_dynamic()) else {
            return;
        };
        let is_plain = |is_one: fn(&Word) -> bool| {
            words
                .split(|word| matches!(word.literal(), Some("-a" | "-o")))
                .all(|test| is_plain_test(test, is_one))
        };
        if is_plain(is_one) {
            return;
        }
        // A number is one word without quotes.
        if !is_plain(|word| is_one(word) || word.variable().is_some()) {
            return self.add(Reason::EvaluatedWord, moving);
        }
        for word in words.iter().filter(|word| !is_one(word)) {
            if let Some(name) = word.variable() {
                let doubt = Doubt::new(Reason::EvaluatedWord, word.place());
                self.numbers.push((name.to_owned(), doubt));
            }
        }
    }
}

/// One test whose operator is a literal in its usual place, with operands of one word each.
fn is_plain_test(words: &[Word], is_one: fn(&Word) -> bool) -> bool {
    let words = match words.split_first() {
        Some((first, rest)) if first.literal() == Some("!") => rest,
        _ => words,
    };
    if !words.iter().all(is_one) {
        return false;
    }
    match words {
        [_] => true,
        [operator, _] => operator
            .literal()
            .is_some_and(|text| text.len() == 2 && text.starts_with('-') && !matches!(text, "-v" | "-R")),
        [_, operator, _] => operator.literal().is_some_and(|text| BINARY.contains(&text)),
        _ => false,
    }
}

/// Whether the word stays one word. Numbers of the shell's own need no quotes.
fn is_one(word: &Word) -> bool {
    word.is_single() || word.is_number()
}
