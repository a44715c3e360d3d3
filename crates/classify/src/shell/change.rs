//! What an expansion takes off a value, or puts in place of a part of it.

/// Longest value and longest part of a change that is followed, in bytes.
const LONGEST: usize = 512;

/// `${x%.txt}` and its kin, where pattern and text are plain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// `#` and `##`: the shortest or the longest beginning that fits is taken off.
    Beginning {
        /// Letters, signs of names, `*` and `?`.
        pattern: String,
        /// The longest.
        longest: bool,
    },
    /// `%` and `%%`: the same of the end.
    End {
        /// Letters, signs of names, `*` and `?`.
        pattern: String,
        /// The longest.
        longest: bool,
    },
    /// `/` and `//`: the first, or each, is another text.
    Text {
        /// Without wildcards.
        from: String,
        /// What stands there then.
        to: String,
        /// Each.
        all: bool,
    },
}

impl Change {
    /// From what stands between the name and the brace.
    pub(super) fn of(operator: &str) -> Option<Self> {
        let plain = |char: char| char.is_ascii_alphanumeric() || "_./:+@,=-*? ".contains(char);
        let signs = operator.trim_start_matches(['#', '%', '/']);
        if signs.is_empty() && !operator.ends_with('/') || !signs.chars().all(plain) {
            return None;
        }
        let pattern = |rest: &str| (!rest.is_empty() && rest.chars().all(plain)).then(|| rest.to_owned());
        let longest = operator.starts_with("##") || operator.starts_with("%%");
        if let Some(rest) = operator.strip_prefix("##").or_else(|| operator.strip_prefix('#')) {
            let pattern = pattern(rest)?;
            return Some(Self::Beginning { pattern, longest });
        }
        if let Some(rest) = operator.strip_prefix("%%").or_else(|| operator.strip_prefix('%')) {
            let pattern = pattern(rest)?;
            return Some(Self::End { pattern, longest });
        }
        let rest = operator.strip_prefix('/')?;
        let all = rest.starts_with('/');
        let (from, to) = rest.strip_prefix('/').unwrap_or(rest).split_once('/')?;
        let fixed = |text: &str| text.chars().all(|char| plain(char) && !"*?".contains(char));
        (!from.is_empty() && fixed(from) && fixed(to)).then(|| Self::Text {
            from: from.to_owned(),
            to: to.to_owned(),
            all,
        })
    }

    /// What becomes of a value; `None` for a longer one than names have, whose every end would be tried.
    pub(crate) fn of_text(&self, text: &str) -> Option<String> {
        use crate::wildcard::fits;
        if text.len() > LONGEST || self.longest_part() > LONGEST {
            return None;
        }
        let ends = || (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        let off = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        Some(match self {
            Self::Beginning { pattern, longest } => {
                let mut cuts = ends().filter(|at| fits(pattern, off(0, *at)));
                let cut = if *longest { cuts.next_back() } else { cuts.next() };
                off(cut.unwrap_or(0), text.len()).to_owned()
            }
            Self::End { pattern, longest } => {
                let mut cuts = ends().filter(|at| fits(pattern, off(*at, text.len())));
                let cut = if *longest { cuts.next() } else { cuts.next_back() };
                off(0, cut.unwrap_or(text.len())).to_owned()
            }
            Self::Text { from, to, all: true } => text.replace(from, to),
            Self::Text { from, to, .. } => text.replacen(from, to, 1),
        })
    }

    fn longest_part(&self) -> usize {
        match self {
            Self::Beginning { pattern, .. } | Self::End { pattern, .. } => pattern.len(),
            Self::Text { from, to, .. } => from.len().max(to.len()),
        }
    }

    /// A pattern for whatever becomes of the names that a pattern selects; `None`: they could leave their directory, be empty,
    /// or begin in another way. The star of a pattern stands for no name that begins with a dot, and for none that is empty.
    pub(crate) fn of_pattern(&self, pattern: &str) -> Option<String> {
        let (folder, name) = match pattern.rsplit_once('/') {
            Some((folder, name)) => (Some(folder), name),
            None => (None, pattern),
        };
        let selects = |text: &str| text.contains(['*', '?', '[', '\\', '{', '(']);
        let within = |name: &str| folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"));
        match self {
            // The name alone, or what is below a directory that is written out.
            Self::Beginning {
                pattern: taken,
                longest: true,
            } if taken == "*/" => (!name.is_empty()).then(|| name.to_owned()),
            Self::Beginning { pattern: taken, .. } if taken.ends_with('/') && !selects(taken) => {
                Some(pattern.strip_prefix(taken.as_str()).unwrap_or(pattern).to_owned())
            }
            // The directory.
            Self::End {
                pattern: taken,
                longest: false,
            } if taken == "/*" && !name.is_empty() => {
                folder.filter(|folder| !folder.is_empty()).map(str::to_owned)
            }
            Self::End { pattern: taken, .. } if taken == "/" => {
                let rest = pattern.strip_suffix('/').unwrap_or(pattern);
                (!rest.is_empty() && !rest.ends_with('/')).then(|| rest.to_owned())
            }
            Self::End {
                pattern: taken,
                longest,
            } => {
                let tail = name
                    .rfind(['*', '?', '[', ']', '\\', '}', ')'])
                    .map_or(0, |at| at + 1);
                let fixed = name.get(tail..)?;
                let end = if taken == ".*" && !longest {
                    // Nothing but the last dot tells where it begins.
                    fixed.get(fixed.rfind('.')?..)?
                } else if selects(taken) || taken.contains('/') || !taken.starts_with('.') {
                    return None;
                } else {
                    taken.as_str()
                };
                match name.strip_suffix(end) {
                    Some(rest) if end.len() <= fixed.len() => (!rest.is_empty()).then(|| within(rest)),
                    // A star covers what is left of it.
                    _ if fixed.is_empty() && name.ends_with('*') => Some(pattern.to_owned()),
                    _ if fixed.len() >= end.len() => Some(pattern.to_owned()),
                    _ => None,
                }
            }
            // The name becomes another one in the same directory.
            Self::Text { from, to, .. } => {
                let elsewhere = folder
                    .is_some_and(|folder| selects(folder) || format!("{folder}/").contains(from.as_str()));
                let begins = to.starts_with(|char: char| char.is_ascii_alphanumeric() || char == '_');
                let plain =
                    !name.is_empty() && !elsewhere && begins && !name.starts_with('.') && !to.contains('/');
                plain.then(|| within("*"))
            }
            Self::Beginning { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn a_value_loses_what_bash_takes_off() {
        for (operator, text, expected) in [
            ("%.txt", "src/a.txt", "src/a"),
            ("%.txt", "src/a.md", "src/a.md"),
            ("%.*", "a.tar.gz", "a.tar"),
            ("%%.*", "a.tar.gz", "a"),
            ("%/*", "a/b/c", "a/b"),
            ("%%/*", "a/b/c", "a"),
            ("#*/", "a/b/c", "b/c"),
            ("##*/", "a/b/c", "c"),
            ("#src/", "src/a", "a"),
            ("/test/spec", "test/a.test.ts", "spec/a.test.ts"),
            ("//test/spec", "test/a.test.ts", "spec/a.spec.ts"),
            ("//-/_", "a-b-c", "a_b_c"),
            ("/.txt/", "a.txt", "a"),
            ("%?", "aé", "a"),
        ] {
            assert_eq!(
                Change::of(operator).unwrap().of_text(text).as_deref(),
                Some(expected),
                "{operator} {text}"
            );
        }
        for operator in ["%", "##", "%$x", "/a", "/*/x", "^^", ":1", "%\"x\"", "#[a]", "//"] {
            assert_eq!(Change::of(operator), None, "{operator}");
        }
    }

    #[test]
    fn what_is_longer_than_a_name_is_not_followed() {
        let name = "a".repeat(super::LONGEST);
        let long = format!("{name}a");
        for operator in ["%%*b*c*d", "#a", "//a/bb"] {
            assert_eq!(Change::of(operator).unwrap().of_text(&long), None, "{operator}");
            assert!(
                Change::of(operator).unwrap().of_text(&name).is_some(),
                "{operator}"
            );
        }
        for operator in [format!("%{long}"), format!("/a/{long}")] {
            assert_eq!(Change::of(&operator).unwrap().of_text("a"), None);
        }
    }

    #[test]
    fn what_a_pattern_selects_stays_in_its_directory() {
        for (operator, pattern, expected) in [
            ("%.txt", "src/*.txt", Some("src/*")),
            ("%.*", "src/*.txt", Some("src/*")),
            ("%.md", "src/*.txt", Some("src/*.txt")),
            ("%.txt", "src/*", Some("src/*")),
            ("##*/", "docs/*.md", Some("*.md")),
            ("#docs/", "docs/*.md", Some("*.md")),
            ("%/*", "docs/*.md", Some("docs")),
            ("%/", "crates/*/", Some("crates/*")),
            ("/txt/md", "src/*.txt", Some("src/*")),
            ("%.*", "src/*", None),
            ("%%.*", "src/*.txt", None),
            ("%txt", "src/*txt", None),
            ("%.txt", "src/*t", None),
            ("%/*", "*.md", None),
            ("#*/", "a/b/*.md", None),
            ("##*/", "crates/*/", None),
            ("/src/x", "src/*.txt", None),
            ("/a/.", "src/*.txt", None),
            ("/a/b", "*/x.txt", None),
            ("#a", "a*", None),
            ("%.txt", "src/.txt", None),
            ("%.b", "src/[a.b", Some("src/[a")),
        ] {
            assert_eq!(
                Change::of(operator).unwrap().of_pattern(pattern).as_deref(),
                expected,
                "{operator} {pattern}"
            );
        }
    }
}
