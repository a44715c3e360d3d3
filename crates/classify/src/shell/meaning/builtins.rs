//! Builtins that do more than their words say.

use super::super::{Reason, Word};
use super::Findings;

/// Builtins that change how the rest is read or what a name runs, or that run their words later.
const STATEFUL: &[&str] = &[
    "alias", "bind", "compgen", "complete", "compopt", "enable", "fc", "history", "shopt", "trap", "unalias",
];

impl Findings {
    pub(super) fn builtin(&mut self, name: &str, word: &Word, arguments: &[Word]) {
        match name {
            "command" => self.command_builtin(word, arguments),
            "builtin" => {
                let (dashes, rest) = leading(arguments, "--");
                if !dashes
                    && rest
                        .first()
                        .is_some_and(|first| first.known_start().starts_with('-'))
                {
                    return self.add(Reason::ShellState, word);
                }
                self.command(rest);
            }
            "eval" => self.eval(word, arguments),
            "." | "source" => self.add(Reason::Source, word),
            // What they set, they set by evaluating an expression.
            "let" => self.add(Reason::EvaluatedWord, word),
            "[" | "test" => self.test(name, arguments),
            "set" => self.set(arguments),
            // With plain names it only looks for programs, and without or with `-r` it only forgets.
            "hash"
                if !arguments.iter().all(
                    |one| matches!(one.literal(), Some(text) if text == "-r" || !text.starts_with('-')),
                ) =>
            {
                self.add(Reason::ShellState, word);
            }
            // `jobs -x` runs its words.
            "jobs"
                if arguments
                    .iter()
                    .any(|one| one.known_start().contains('x') || one.is_dynamic()) =>
            {
                self.add(Reason::ShellState, word);
            }
            _ if STATEFUL.contains(&name) => self.add(Reason::ShellState, word),
            _ => self.naming(name, arguments),
        }
    }

    /// `command`: options, then a command that is looked up past functions, or with `-v` only looked up.
    fn command_builtin(&mut self, word: &Word, arguments: &[Word]) {
        let mut rest = arguments;
        while let Some((first, others)) = rest.split_first() {
            match first.literal() {
                Some("--") => return self.command(others),
                Some("-p") => rest = others,
                Some("-v" | "-V" | "-pv" | "-pV") => return,
                Some(text) if text.starts_with('-') => return self.add(Reason::ShellState, word),
                _ => return self.command(rest),
            }
        }
    }

    /// `eval`: its words, joined, are read again by the same shell.
    fn eval(&mut self, word: &Word, arguments: &[Word]) {
        let (dashes, rest) = leading(arguments, "--");
        let literals: Option<Vec<_>> = rest.iter().map(Word::literal).collect();
        match literals {
            Some(texts) if dashes || !texts.first().is_some_and(|text| text.starts_with('-')) => {
                self.evaluated = Some(texts.join(" "));
            }
            _ => self.add(Reason::Eval, word),
        }
    }
}

/// Whether the first word is this one, and the words after it.
pub(super) fn leading<'a>(words: &'a [Word], first: &str) -> (bool, &'a [Word]) {
    match words.split_first() {
        Some((word, rest)) if word.literal() == Some(first) => (true, rest),
        _ => (false, words),
    }
}
