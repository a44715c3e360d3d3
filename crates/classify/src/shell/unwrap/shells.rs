//! Shells: `-c` and a text.

use super::super::{Input, Operator, Piece, Reason, Word, meaning};
use super::{Unwrapping, kin};

/// Letters that change when a shell stops, what it prints, or which of a person's own files it reads first.
const LETTERS: &str = "aefhluvxBCEPT";
/// Options of `shopt` that concern patterns and pipes. Nothing that is read here depends on them.
const SHOPTS: &[&str] = &[
    "dotglob",
    "extglob",
    "failglob",
    "globstar",
    "inherit_errexit",
    "lastpipe",
    "nocaseglob",
    "nocasematch",
    "nullglob",
];
const LONG: &[&str] = &["--login", "--norc", "--noprofile", "--verbose", "--noediting"];

impl Unwrapping<'_> {
    pub(super) fn shell(&mut self, name: &str, number: usize, first: &Word, arguments: &[Word]) {
        let portable = matches!(name, "sh" | "dash" | "ash");
        let is_other = !portable && name != "bash";
        let mut rest = arguments;
        let mut has_text = false;
        let mut reads_input = false;
        let mut only_reads = false;
        // Others have letters of their own.
        let mut is_plain = true;
        while let Some((word, others)) = rest.split_first() {
            let start = word.known_start();
            if word.may_be_option() || (word.is_dynamic() && start.starts_with(['-', '+'])) {
                return self.doubt(Reason::Eval, word);
            }
            if matches!(start, "--" | "-") {
                rest = others;
                break;
            }
            let Some(letters) = start.strip_prefix(['-', '+']).filter(|_| !word.is_dynamic()) else {
                break;
            };
            rest = others;
            is_plain &= start.starts_with('-') && letters.chars().all(|letter| kin::LETTERS.contains(letter));
            if matches!(start, "--version" | "--help") {
                return;
            }
            if letters.starts_with('-') {
                if portable || !LONG.contains(&start) {
                    return self.doubt(Reason::UnknownOption, word);
                }
                continue;
            }
            for letter in letters.chars() {
                match letter {
                    'c' if start.starts_with('-') => has_text = true,
                    'o' | 'O' => {
                        let Some((value, others)) = rest.split_first() else {
                            return self.doubt(Reason::UnknownOption, word);
                        };
                        rest = others;
                        let known = match letter {
                            'o' => meaning::SET_NAMES,
                            _ => SHOPTS,
                        };
                        if !value.literal().is_some_and(|value| known.contains(&value)) {
                            return self.doubt(Reason::UnknownOption, value);
                        }
                    }
                    's' => reads_input = true,
                    'n' if start.starts_with('-') => only_reads = true,
                    _ if LETTERS.contains(letter) => {}
                    _ => return self.doubt(Reason::UnknownOption, word),
                }
            }
        }
        // Read as if it were bash, the text still counts against it.
        let text = rest
            .first()
            .and_then(Word::literal)
            .filter(|_| has_text && !reads_input);
        if is_other && !text.is_some_and(|text| is_plain && kin::means_the_same(name, text)) {
            self.doubt(Reason::OtherShell, first);
        }
        if only_reads {
            return;
        }
        if !has_text || reads_input {
            // A file is judged by the table, as one that is run by its own name.
            if self.programs.is_some() && !reads_input && rest.first().is_some_and(is_file) {
                return;
            }
            self.doubt(Reason::ShellInput, first);
            return self.text_it_reads(number, first, rest, (portable, reads_input));
        }
        let written = rest.first();
        match written.map(|word| (word, word.literal())) {
            Some((word, Some(text))) => self.script_text(number, word, text, portable),
            Some((word, None)) => {
                self.doubt(Reason::Eval, first);
                if let Some(text) = around_marks(word) {
                    self.script_text(number, word, &text, portable);
                }
            }
            None => self.doubt(Reason::UnknownOption, first),
        }
    }

    /// A literal text as standard input. It stays a doubt, but what stands in it counts.
    fn text_it_reads(
        &mut self,
        number: usize,
        first: &Word,
        operands: &[Word],
        (portable, takes_input): (bool, bool),
    ) {
        let Input::Redirection(redirection) = self.script.input(number) else {
            return;
        };
        let text = match redirection.operator {
            Operator::HereString => redirection.operand.literal(),
            _ => redirection.body.as_ref().and_then(Word::literal),
        };
        if let Some(text) = text
            .filter(|_| operands.is_empty() || takes_input)
            .map(str::to_owned)
        {
            self.script_text(number, first, &text, portable);
        }
    }
}

/// The text of a word in which only marks of a wrapper move, with the marks in it: what stands around them counts.
fn around_marks(word: &Word) -> Option<String> {
    let part = |piece: &Piece| match piece {
        Piece::Literal(text) => Some(text.clone()),
        Piece::Filled { alone: false, .. } => Some("{}".to_owned()),
        _ => None,
    };
    word.pieces().iter().map(part).collect()
}

fn is_file(word: &Word) -> bool {
    word.literal().is_some_and(|text| !text.is_empty())
}
