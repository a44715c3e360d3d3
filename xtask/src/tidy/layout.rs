//! The top level holds exactly what it should.

use std::collections::BTreeSet;

use super::Finding;
use crate::tree::File;

/// What has to stand there.
const REQUIRED: &[&str] = &[
    ".cargo",
    ".ci",
    ".github",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "benches",
    "clippy.toml",
    "crates",
    "deny.toml",
    "examples",
    "fuzz",
    "rustfmt.toml",
    "testing",
    "xtask",
];

/// What may stand there as well.
const ALLOWED: &[&str] = &[
    ".gitattributes",
    "conformance",
    "docs",
    "integrations",
    "rust-toolchain.toml",
];

/// Entries that are missing and entries that do not belong.
pub(super) fn top(files: &[File]) -> Vec<Finding> {
    let found: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.path.split('/').next())
        .collect();
    let missing = REQUIRED.iter().filter(|name| !found.contains(*name));
    let strange = found
        .iter()
        .filter(|name| !REQUIRED.contains(name) && !ALLOWED.contains(name));
    missing
        .map(|name| Finding::new(name, 0, "missing"))
        .chain(strange.map(|name| Finding::new(name, 0, "does not belong on the top level")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::{REQUIRED, top};

    #[test]
    fn names_what_is_missing_and_what_is_strange() {
        let mut files: Vec<_> = REQUIRED.iter().map(|name| file(name, "")).collect();
        assert!(top(&files).is_empty());
        files.push(file("notes.txt", ""));
        files.remove(0);
        let found: Vec<_> = top(&files).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [".cargo: missing", "notes.txt: does not belong on the top level"]
        );
    }
}
