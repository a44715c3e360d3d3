//! Whether the families themselves are sound. Runs before every run.

mod desk;
mod differs;
mod needs;
mod polarity;
mod saves;
mod suite;
mod text;
mod tree;

use std::fmt;

use crate::fixture::{Family, Source};
use crate::{Manifest, Spec};

/// Something wrong with a family, or with the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The family, or the file.
    pub place: String,
    /// The name of the lint.
    pub lint: &'static str,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place, self.what, self.lint)
    }
}

/// What a lint of one family reports to.
struct Faults<'a> {
    place: &'a str,
    found: &'a mut Vec<Fault>,
}

impl Faults<'_> {
    fn add(&mut self, lint: &'static str, what: impl Into<String>) {
        self.found.push(Fault {
            place: self.place.to_owned(),
            lint,
            what: what.into(),
        });
    }
}

/// Every fault of these families. `uncovered`: ids of rules that have no family yet, one a line.
#[must_use]
pub fn lint(sources: &[Source], spec: &Spec, manifest: &Manifest, uncovered: &str) -> Vec<Fault> {
    lint_for(sources, spec, manifest, uncovered, |_| true)
}

/// The same, but trees are made for those families only that are to be run.
pub(crate) fn lint_for(
    sources: &[Source],
    spec: &Spec,
    manifest: &Manifest,
    uncovered: &str,
    is_run: impl Fn(&Family) -> bool,
) -> Vec<Fault> {
    let mut found = Vec::new();
    for source in sources {
        let mut faults = Faults {
            place: &source.family.id,
            found: &mut found,
        };
        text::lint(source, spec, &mut faults);
        polarity::lint(&source.family, &mut faults);
        differs::lint(source, &mut faults);
        needs::lint(&source.family, &mut faults);
        saves::lint(&source.family, &mut faults);
        desk::lint(&source.family, &mut faults);
        if is_run(&source.family) {
            tree::lint(&source.family, &mut faults);
        }
    }
    suite::lint(sources, spec, manifest, uncovered, &mut found);
    found
}

#[cfg(test)]
mod tests;
