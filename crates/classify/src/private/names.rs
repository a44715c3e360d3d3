//! Which file names a search selects.

use crate::wildcard;

/// A pattern of names: `*` is anything, `?` one character. Every other sign of patterns makes it select all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Names(String);

impl Names {
    /// The last part of a pattern of paths; what is excluded selects nothing by itself, so it is no pattern.
    pub(crate) fn of(pattern: &str) -> Option<Self> {
        if pattern.starts_with('!') {
            return None;
        }
        let last = pattern.rsplit('/').next().unwrap_or(pattern);
        let is_plain =
            !last.is_empty() && !last.contains(['[', ']', '{', '}', '\\', '(', '|', '!', '$', '~']);
        Some(Self(if is_plain {
            last.to_lowercase()
        } else {
            "*".to_owned()
        }))
    }

    /// Whether a name, in lower case, is selected.
    pub(crate) fn selects(&self, name: &str) -> bool {
        wildcard::fits(&self.0, name)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("*.ts", "a.ts", true)]
    #[case("*.ts", "a.tsx", false)]
    #[case("*.ts", ".env", false)]
    #[case("**/*.ts", "a.ts", true)]
    #[case("**", ".env", true)]
    #[case("*", ".env", true)]
    #[case("*.*", ".env", true)]
    #[case(".env*", ".env.local", true)]
    #[case("?env", ".env", true)]
    #[case("*.{ts,pem}", "a.pem", true)]
    #[case("[.]env", ".env", true)]
    #[case("src/", "a", true)]
    #[case("*e*v*", ".env", true)]
    #[case("*ev*", ".env", false)]
    fn patterns_select_names(#[case] pattern: &str, #[case] name: &str, #[case] selected: bool) {
        assert_eq!(Names::of(pattern).unwrap().selects(name), selected);
    }

    #[test]
    fn what_is_excluded_is_no_pattern() {
        assert_eq!(Names::of("!*.ts"), None);
    }
}
