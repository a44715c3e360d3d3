use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::source::Source;
use crate::visible;

/// Why a configuration cannot be used: at least one diagnostic, all of them about the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    kind: ConfigErrorKind,
    source: Source,
    diagnostics: Vec<Diagnostic>,
}

/// The small set of reasons a caller may decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// The file cannot be read: missing, not a regular file, too large, not UTF-8, no permission.
    Unreadable,
    /// Not TOML, an unknown key, a missing key or a value of the wrong type.
    Syntax,
    /// A version that this program does not read.
    Version,
    /// Well-formed, but it says something that is not allowed: a loosening rule, an id used twice, a setting
    /// that a project may not touch.
    Meaning,
    /// A rule does not do what its own examples say.
    Example,
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// One sentence: lower case, no full stop, user input in backticks and escaped.
    pub message: String,
    /// Where; `None` when it is about the file as a whole.
    pub position: Option<Position>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A place in a configuration text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The offending text, as written.
    pub text: String,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl ConfigError {
    pub(crate) fn one(kind: ConfigErrorKind, source: Source, diagnostic: Diagnostic) -> Self {
        Self {
            kind,
            source,
            diagnostics: vec![diagnostic],
        }
    }

    pub(super) fn many(kind: ConfigErrorKind, source: Source, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            kind,
            source,
            diagnostics,
        }
    }

    /// An error about the file as a whole.
    pub(crate) fn unreadable(name: &str, message: String, hint: &str) -> Self {
        Self::one(
            ConfigErrorKind::Unreadable,
            Source::new(name, ""),
            Diagnostic {
                message,
                position: None,
                hint: Some(hint.to_owned()),
            },
        )
    }

    /// The error of a file that was asked for by name and is not there.
    #[must_use]
    pub fn missing(name: &str) -> Self {
        Self::unreadable(
            name,
            "it does not exist".to_owned(),
            "check the name, or write one with `portcullis init`",
        )
    }

    /// The error of a file that a running gate read before, and that is not there any more.
    pub(super) fn gone(name: &str) -> Self {
        Self::unreadable(
            name,
            "it was there when the gate began and is gone".to_owned(),
            "put it back, or start the gate anew without it",
        )
    }

    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> ConfigErrorKind {
        self.kind
    }

    /// The file, as it was named.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// What is wrong, in the order of the file; never empty.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The sentence that a running gate gives as its reason: `configuration broken at line 3: ...`.
    #[must_use]
    pub fn broken(&self) -> String {
        let Some(first) = self.diagnostics.first() else {
            return "configuration broken".to_owned();
        };
        match &first.position {
            Some(at) => format!("configuration broken at line {}: {}", at.line, first.message),
            None => format!("configuration broken: {}", first.message),
        }
    }

    /// For people: every diagnostic with its lines of the file, coloured with ANSI escapes. Whoever prints it
    /// strips the colour where nobody can show it.
    #[must_use]
    pub fn render(&self) -> String {
        let renderer = Renderer::styled();
        let rendered: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&self.source, &renderer))
            .collect();
        rendered.join("\n\n")
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration {}", quoted(&self.source.name))?;
        let Some(first) = self.diagnostics.first() else {
            return f.write_str(" cannot be used");
        };
        if let Some(at) = &first.position {
            write!(f, ", line {}, column {}", at.line, at.column)?;
        }
        write!(f, ": {}", first.message)?;
        match self.diagnostics.len() {
            0 | 1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Diagnostic {
    fn render(&self, source: &Source, renderer: &Renderer) -> String {
        let name = visible(&source.name, 1000);
        let mut group = match &self.position {
            Some(at) => Level::ERROR.primary_title(self.message.as_str()).element(
                Snippet::source(source.text.as_str())
                    .path(name)
                    .annotation(AnnotationKind::Primary.span(at.span.clone())),
            ),
            None => Group::with_title(Level::ERROR.primary_title(format!("`{name}`: {}", self.message))),
        };
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        renderer.render(&[group])
    }
}

/// User input inside a sentence: in backticks, bounded, with nothing in it that a terminal would act on.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    format!("`{}`", visible(text, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_made_visible() {
        let shown = quoted("a\u{1b}[2J\u{202e}b\n");
        assert_eq!(shown, r"`a\u{1b}[2J\u{202e}b\n`");
        assert!(quoted(&"x".repeat(1000)).len() < 250);
    }
}
