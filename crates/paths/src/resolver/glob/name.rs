//! One component of a pattern, and the names that it may select.

/// A component as stretches of certain text with anything between them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NamePattern {
    /// ASCII lower case.
    parts: Vec<Vec<u8>>,
    /// It begins with certain text: what a shell needs to select a name that begins with a dot.
    begins_certainly: bool,
}

/// A wildcard of some grammar stands in the component.
pub(super) fn is_wild(component: &[u8]) -> bool {
    component.iter().any(|byte| b"*?[]\\".contains(byte)) || has_group(component)
}

fn has_group(component: &[u8]) -> bool {
    component
        .windows(2)
        .any(|pair| matches!(pair, [b'@' | b'!' | b'+' | b'?' | b'*', b'(']))
}

impl NamePattern {
    /// Everything that is not itself in some grammar stands for anything: what is selected is never less than a tool's.
    pub(super) fn of(component: &[u8]) -> Self {
        let mut parts = vec![Vec::new()];
        let mut rest = component;
        while let Some((&byte, behind)) = rest.split_first() {
            let group = matches!(byte, b'@' | b'!' | b'+' | b'?' | b'*') && behind.first() == Some(&b'(');
            rest = match byte {
                _ if group => past_last(behind, b')'),
                b'[' => past_last(behind, b']'),
                // What is behind it stands for itself, or the backslash does.
                b'\\' => behind.get(1..).unwrap_or_default(),
                _ => behind,
            };
            let odd = group || matches!(byte, b'*' | b'?' | b'[' | b']' | b'\\');
            match parts.last_mut() {
                Some(part) if !odd => part.push(byte.to_ascii_lowercase()),
                _ => parts.push(Vec::new()),
            }
        }
        Self {
            begins_certainly: parts.first().is_some_and(|part| !part.is_empty())
                || component.first() == Some(&b'\\'),
            parts,
        }
    }

    /// The name may be selected.
    pub(super) fn may_select(&self, name: &[u8], stars_skip_dots: bool) -> bool {
        if stars_skip_dots && name.first() == Some(&b'.') && !self.begins_certainly {
            return false;
        }
        let name = name.to_ascii_lowercase();
        let [first, between @ ..] = self.parts.as_slice() else {
            return true;
        };
        let Some((last, between)) = between.split_last() else {
            return name == *first;
        };
        let rest = name.strip_prefix(first.as_slice());
        let Some(mut rest) = rest.and_then(|rest| rest.strip_suffix(last.as_slice())) else {
            return false;
        };
        between.iter().filter(|part| !part.is_empty()).all(|part| {
            let found = rest
                .windows(part.len())
                .position(|window| window == part.as_slice());
            rest = found
                .and_then(|at| rest.get(at + part.len()..))
                .unwrap_or_default();
            found.is_some()
        })
    }
}

/// What is behind the last of these: groups and classes may hold each other's ends.
fn past_last(text: &[u8], end: u8) -> &[u8] {
    let last = text.iter().rposition(|byte| *byte == end);
    last.and_then(|last| text.get(last + 1..)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_any_grammar_selects() {
        for (pattern, name, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.RS", true),
            ("*.rs", "a.rst", false),
            ("*.rs", ".rs", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("?", "é", true),
            ("[a-z]x", "bx", true),
            ("[a-z]x", "by", false),
            ("[]]x", "]x", true),
            ("@(a|b).c", "b.c", true),
            ("+(a)", "aaa", true),
            ("\\*a", "*a", true),
            ("\\*a", "\\*a", true),
            ("a!b", "a!b", true),
            ("a!b", "axb", false),
            ("k[", "k[", true),
        ] {
            let pattern_ = NamePattern::of(pattern.as_bytes());
            assert_eq!(
                pattern_.may_select(name.as_bytes(), false),
                expected,
                "{pattern} {name} {pattern_:?}"
            );
        }
    }

    #[test]
    fn a_shells_star_skips_names_that_begin_with_a_dot() {
        for (pattern, expected) in [
            ("*", false),
            ("?git", false),
            ("[.]git", false),
            (".*", true),
            (".g*", true),
        ] {
            let selects = NamePattern::of(pattern.as_bytes()).may_select(b".git", true);
            assert_eq!(selects, expected, "{pattern}");
        }
    }

    #[test]
    fn only_wildcards_are_wild() {
        for plain in ["a", "a.b", "a(b)", "a!b", "a@b", "a+b", "(x)"] {
            assert!(!is_wild(plain.as_bytes()), "{plain}");
        }
        for wild in ["*", "a?", "[x]", "a]", "@(a)", "\\a"] {
            assert!(is_wild(wild.as_bytes()), "{wild}");
        }
    }
}
