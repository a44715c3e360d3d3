//! Why a command ended early: one sentence, one code, and a hint on a line of its own.

use std::io;

use portcullis::config::ConfigError;
use portcullis::{Error, ErrorKind};

use crate::exit_codes::{CONFIGURATION, FAULT, INPUT, USAGE_OR_DENY};

/// An end that is not the normal one.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Said to the person at the terminal.
    Told(Box<Told>),
    /// Whoever read our output is gone. There is nobody to tell.
    BrokenPipe,
}

/// What is said.
#[derive(Debug)]
pub(crate) struct Told {
    code: u8,
    sentence: String,
    report: String,
    hint: Option<String>,
}

impl Failure {
    fn told(code: u8, text: impl Into<String>, hint: impl Into<String>) -> Self {
        let sentence = text.into();
        Self::Told(Box::new(Told {
            code,
            report: format!("error: {sentence}"),
            sentence,
            hint: Some(hint.into()),
        }))
    }

    pub(crate) fn usage(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::told(USAGE_OR_DENY, text, hint)
    }

    pub(crate) fn input(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::told(INPUT, text, hint)
    }

    pub(crate) fn fault(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::told(FAULT, text, hint)
    }

    /// The sentence alone, for a host that has no room for more.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Told(told) => told.sentence.clone(),
            Self::BrokenPipe => "the output is closed".to_owned(),
        }
    }

    /// Writes it to standard error and gives the exit code.
    pub(crate) fn report(self) -> u8 {
        match self {
            Self::BrokenPipe => crate::exit_codes::DONE,
            Self::Told(told) => {
                anstream::eprintln!("{}", told.report);
                if let Some(hint) = told.hint {
                    anstream::eprintln!("hint: {hint}");
                }
                told.code
            }
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        // Every diagnostic brings its own hint.
        Self::Told(Box::new(Told {
            code: CONFIGURATION,
            sentence: error.broken(),
            report: error.render(),
            hint: None,
        }))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Workspace => USAGE_OR_DENY,
            ErrorKind::Policy => CONFIGURATION,
            _ => FAULT,
        };
        Self::told(code, error.to_string(), error.hint())
    }
}

/// Standard output cannot be written.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::fault(
                format!("standard output cannot be written: {error}"),
                "check where the output goes",
            ),
        }
    }
}
