//! The rules of the house that no compiler knows. Each check is a pure function over the files of the tree.

pub(crate) mod arrows;
mod crates;
mod errors;
mod layout;
mod length;
mod modules;
pub(crate) mod sources;
pub(crate) mod words;

use std::fmt;

use crate::tree::File;

/// Something against the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    /// From 1; 0 for the whole file.
    line: usize,
    what: String,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            what: what.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

/// A rule and what breaks it.
pub(crate) struct Check {
    pub(crate) rule: &'static str,
    pub(crate) find: fn(&[File]) -> Vec<Finding>,
}

/// Every rule over files.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        rule: "no attribute hides a test or a warning",
        find: words::attributes,
    },
    Check {
        rule: "no note to self without an issue",
        find: words::notes,
    },
    Check {
        rule: "files are short",
        find: length::files,
    },
    Check {
        rule: "error texts read well after `failed to`",
        find: errors::texts,
    },
    Check {
        rule: "every file is part of a crate",
        find: modules::forgotten,
    },
    Check {
        rule: "every crate says what it is",
        find: crates::papers,
    },
    Check {
        rule: "the top level holds what it should",
        find: layout::top,
    },
];

/// Rust sources with their texts.
fn rust(files: &[File]) -> impl Iterator<Item = (&str, &str)> {
    files
        .iter()
        .filter(|file| file.path.ends_with(".rs"))
        .filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?)))
}

#[cfg(test)]
fn file(path: &str, text: &str) -> File {
    File {
        path: path.to_owned(),
        text: Some(text.to_owned()),
    }
}
