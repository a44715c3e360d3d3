//! `find`: `-exec` and its kin run the words up to `;` or `{} +`.

use super::super::{Piece, Reason, Word};
use super::table::{Empty, Wrapper};
use super::{Unwrapping, filled};

const EXECUTES: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
/// Tests that take one word, which may be anything.
const VALUED: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-newer",
    "-anewer",
    "-cnewer",
    "-samefile",
    "-type",
    "-xtype",
    "-size",
    "-user",
    "-group",
    "-perm",
    "-mtime",
    "-atime",
    "-ctime",
    "-mmin",
    "-amin",
    "-cmin",
    "-maxdepth",
    "-mindepth",
    "-inum",
    "-links",
    "-uid",
    "-gid",
    "-fstype",
    "-regextype",
    "-used",
    "-printf",
    "-newermt",
    "-newerct",
];
/// Actions that write a file of their own.
const WRITES: &[&str] = &["-fprint", "-fprint0", "-fprintf", "-fls"];

impl Unwrapping<'_> {
    pub(super) fn find(&mut self, number: usize, words: &[Word]) {
        let mut rest = words;
        let mut before = "";
        while let Some((word, others)) = rest.split_first() {
            rest = others;
            let valued = VALUED.contains(&before) && word.is_single();
            let start = word.known_start();
            before = word.literal().unwrap_or_default();
            if valued {
                before = "";
                continue;
            }
            // What moves may become an action.
            if word.may_be_option() || (word.is_dynamic() && start.starts_with(['-', '(', '!'])) {
                self.doubt(Reason::UnknownOption, word);
            }
            if WRITES.contains(&before) {
                self.doubt(Reason::HiddenWork, word);
            }
            if EXECUTES.contains(&before) {
                let Some(end) = end_of_command(rest) else {
                    return self.doubt(Reason::UnknownOption, word);
                };
                let (command, others) = rest.split_at(end);
                let many = others.first().and_then(Word::literal) == Some("+");
                let fill = |word: &Word| match word.literal() {
                    Some("{}") if many => {
                        Word::of_pieces(vec![Piece::Filled { many, alone: true }], word.place())
                    }
                    _ => filled(word, Some("{}")),
                };
                let command = command.iter().map(fill).collect();
                self.words(&Wrapper::without_options(Empty::Opaque), number, word, command);
                rest = others;
            }
        }
    }
}

/// Where the command ends: before `;`, or after `{}` before `+`.
fn end_of_command(words: &[Word]) -> Option<usize> {
    let mut before = None;
    for (at, word) in words.iter().enumerate() {
        let text = word.literal();
        if text == Some(";") || (text == Some("+") && before == Some("{}")) {
            return Some(at);
        }
        // Something that may become several words may bring the end along.
        if !word.is_single() {
            return None;
        }
        before = text;
    }
    None
}
