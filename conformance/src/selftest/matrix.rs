//! The kill matrix: which families each liar fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::Error;

/// Liar to the families that it fails; none for constant ones, which fail every family.
pub(crate) type Matrix = BTreeMap<String, BTreeSet<String>>;

/// The matrix as a file.
pub(crate) fn write(matrix: &Matrix) -> String {
    let mut text = String::from(
        "# Generated: `cargo xtask conformance self-test --write`. Which families each liar fails.\n\
         # Constant liars fail every family and do not stand here.\n",
    );
    for (lie, families) in matrix {
        let _infallible = writeln!(text, "\n{lie} = [");
        for family in families {
            let _infallible = writeln!(text, "    \"{family}\",");
        }
        text.push_str("]\n");
    }
    text
}

/// Reads the file.
pub(crate) fn read(text: &str) -> Result<Matrix, Error> {
    toml::from_str(text)
        .map_err(|error| Error::fixture(format!("straw.toml: {}", error.to_string().trim_end())))
}

/// What is not as committed, one sentence each.
pub(crate) fn differences(committed: &Matrix, seen: &Matrix) -> Vec<String> {
    let none = BTreeSet::new();
    let lies: BTreeSet<&String> = committed.keys().chain(seen.keys()).collect();
    let mut found = Vec::new();
    for lie in lies {
        let was = committed.get(lie).unwrap_or(&none);
        let is = seen.get(lie).unwrap_or(&none);
        found.extend(
            is.difference(was)
                .map(|family| format!("`{lie}` fails {family}, which the matrix does not say")),
        );
        found.extend(
            was.difference(is)
                .map(|family| format!("`{lie}` passes {family}, against the matrix")),
        );
    }
    found
}
