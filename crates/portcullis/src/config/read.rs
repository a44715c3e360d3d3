//! Text to document: what the TOML reader says, in our words.

use toml::de::Error as TomlError;

use super::diagnostic::{ConfigError, ConfigErrorKind, Diagnostic, quoted};
use super::document::{Document, Head};
use super::source::Source;
use super::suggest::nearest;

const VERSION_HINT: &str = "write `version = 1` as the first line";

pub(super) fn document(source: &Source) -> Result<Document, ConfigError> {
    let head: Head = toml::from_str(&source.text).map_err(|error| syntax(source, &error))?;
    let Some(version) = head.version else {
        // Somebody who mistyped it wants to hear that, and not that it is missing.
        if let Err(error) = toml::from_str::<Document>(&source.text)
            && Unknown::parse(error.message()).is_some_and(|unknown| unknown.is_meant("version"))
        {
            return Err(syntax(source, &error));
        }
        return Err(ConfigError::one(
            ConfigErrorKind::Version,
            source.clone(),
            Diagnostic {
                message: "the key `version` is missing".to_owned(),
                position: Some(source.position(0..0)),
                hint: Some(VERSION_HINT.to_owned()),
            },
        ));
    };
    if *version.get_ref() != 1 {
        return Err(ConfigError::one(
            ConfigErrorKind::Version,
            source.clone(),
            Diagnostic {
                message: format!("version {} is not known here", version.get_ref()),
                position: Some(source.position(version.span())),
                hint: Some(VERSION_HINT.to_owned()),
            },
        ));
    }
    toml::from_str(&source.text).map_err(|error| syntax(source, &error))
}

fn syntax(source: &Source, error: &TomlError) -> ConfigError {
    let message = error.message();
    let (message, hint) = match Unknown::parse(message) {
        Some(unknown) => (unknown.sentence(), Some(unknown.hint())),
        None => (one_line(message), type_hint(message)),
    };
    ConfigError::one(
        ConfigErrorKind::Syntax,
        source.clone(),
        Diagnostic {
            message,
            position: Some(source.position(error.span().unwrap_or(0..0))),
            hint,
        },
    )
}

/// serde's sentence about a key or word that it does not know, taken apart.
struct Unknown<'a> {
    what: &'static str,
    word: &'a str,
    known: Vec<&'a str>,
}

impl<'a> Unknown<'a> {
    fn parse(message: &'a str) -> Option<Self> {
        let (what, rest) = match message.strip_prefix("unknown field ") {
            Some(rest) => ("key", rest),
            None => ("word", message.strip_prefix("unknown variant ")?),
        };
        let (word, expected) = rest.strip_prefix('`')?.split_once("`, expected ")?;
        let known = expected.split('`').skip(1).step_by(2).collect();
        Some(Self { what, word, known })
    }

    /// Whether it is likely that this was meant.
    fn is_meant(&self, known: &str) -> bool {
        nearest(self.word, self.known.iter().copied()) == Some(known)
    }

    fn sentence(&self) -> String {
        format!("unknown {} {}", self.what, quoted(self.word))
    }

    fn hint(&self) -> String {
        match nearest(self.word, self.known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("known here: {}", self.known.join(", ")),
        }
    }
}

fn type_hint(message: &str) -> Option<String> {
    let missing = message.strip_prefix("missing field `")?.strip_suffix('`')?;
    Some(format!("add `{missing} = ...` here"))
}

fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join(", ")
}
