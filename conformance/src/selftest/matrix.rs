//! The kill matrix: which families each liar fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

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

/// A liar and a family on which two matrices differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) lie: String,
    pub(crate) family: String,
    /// What was seen, against the committed matrix.
    pub(crate) fails: bool,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lie, family, fails } = self;
        if *fails {
            write!(f, "`{lie}` fails {family}, which the matrix does not say")
        } else {
            write!(f, "`{lie}` passes {family}, against the matrix")
        }
    }
}

/// What is not as committed.
pub(crate) fn differences(committed: &Matrix, seen: &Matrix) -> Vec<Difference> {
    let none = BTreeSet::new();
    let lies: BTreeSet<&String> = committed.keys().chain(seen.keys()).collect();
    let mut found = Vec::new();
    for lie in lies {
        let was = committed.get(lie).unwrap_or(&none);
        let is = seen.get(lie).unwrap_or(&none);
        found.extend(was.symmetric_difference(is).map(|family| Difference {
            lie: lie.clone(),
            family: family.clone(),
            fails: is.contains(family),
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Difference, Matrix, differences};

    fn matrix(lie: &str, families: &[&str]) -> Matrix {
        let families = families.iter().map(|family| (*family).to_owned()).collect();
        Matrix::from([(lie.to_owned(), families)])
    }

    fn difference(lie: &str, family: &str, fails: bool) -> Difference {
        Difference {
            lie: lie.to_owned(),
            family: family.to_owned(),
            fails,
        }
    }

    #[test]
    fn names_what_came_and_what_went() {
        assert_eq!(differences(&matrix("x", &["a"]), &matrix("x", &["a"])), []);
        let found = differences(&matrix("x", &["a", "b"]), &matrix("x", &["b", "c"]));
        assert_eq!(found, [difference("x", "a", false), difference("x", "c", true)]);
        let found = differences(&matrix("x", &["a"]), &matrix("y", &["a"]));
        assert_eq!(found, [difference("x", "a", false), difference("y", "a", true)]);
    }
}
