//! What a simple command means for the shell that runs it: whether its name is certain, whether it changes how the rest
//! is read, and whether it evaluates its words.

mod builtins;
mod environment;
mod flags;
mod names;
mod set;
mod test;

use super::{Doubt, Reason, SimpleCommand, Word};
pub(super) use environment::{is_harmless as is_harmless_variable, is_harmless_setting};
pub(super) use flags::are_plain as are_plain_flags;
pub(super) use set::NAMES as SET_NAMES;

/// What was found about one command.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What is not certain about it.
    pub(super) doubts: Vec<Doubt>,
    /// Variables that have to be numbers, and the doubt about each that is not.
    pub(super) numbers: Vec<(String, Doubt)>,
    /// The text that it hands to the same shell.
    pub(super) evaluated: Option<String>,
}

/// Looks at a command as the shell does.
pub(super) fn examine(command: &SimpleCommand) -> Findings {
    let mut findings = Findings::default();
    findings.command(&command.words);
    findings
}

/// Builtins that set variables, or may do anything to them.
const SETTERS: &[&str] = &[
    "read",
    "mapfile",
    "readarray",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "unset",
    "getopts",
    "printf",
    "let",
    "eval",
    "source",
    ".",
    "wait",
    "coproc",
    "command",
    "builtin",
];

/// Whether a builtin of this name may set the variables that its words name.
pub(super) fn sets_variables(name: &str) -> bool {
    SETTERS.contains(&name)
}

/// Whether a builtin of this name sets the variables of its words `name=value`, and makes them those of a function unless it
/// is told otherwise.
pub(super) fn declares(name: &str) -> bool {
    matches!(name, "declare" | "typeset" | "local")
}

/// Whether a builtin of this name marks variables, and sets those of its words `name=value`.
pub(super) fn marks(name: &str) -> bool {
    matches!(name, "export" | "readonly")
}

/// Whether a text is a plain name, without a subscript.
pub(super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl Findings {
    /// A command word and its arguments. Without any word nothing runs.
    fn command(&mut self, words: &[Word]) {
        let Some((first, arguments)) = words.split_first() else {
            return;
        };
        match first.literal() {
            None => self.add(Reason::DynamicName, first),
            Some("") => self.add(Reason::EmptyName, first),
            Some(name) if !name.bytes().all(|byte| matches!(byte, b' '..=b'~')) => {
                self.add(Reason::NameNotAscii, first);
            }
            Some(name) => self.builtin(name, first, arguments),
        }
    }

    fn add(&mut self, reason: Reason, word: &Word) {
        self.doubts.push(Doubt::new(reason, word.place()));
    }
}
