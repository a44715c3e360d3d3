mod braces;
mod component;

use std::collections::BTreeSet;

use component::Component;

/// Where a glob can lead, seen from its base directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobReach<'a> {
    /// It selects only names below the base directory, so the base's own operand covers it.
    Inside,
    /// It selects names below this directory: the pattern's literal head, as written, to be decoded by the
    /// operand's dialect against the base directory.
    Below(&'a str),
    /// It may lead anywhere: a `..` behind or within wildcards, alternatives that begin elsewhere, a pattern too
    /// tangled to read. Treat it as [`EffectKind::Opaque`](crate::EffectKind::Opaque).
    Anywhere,
}

/// Says where a glob can lead. It reads the union of the common glob grammars (`*`, `?`, `[..]`, `{..}`,
/// `@(..)`, `!`, `\`), so it may answer [`GlobReach::Anywhere`] for a harmless pattern, and never
/// [`GlobReach::Inside`] for one that leads out.
///
/// ```
/// use portcullis_classify::{GlobReach, glob_reach};
///
/// assert_eq!(glob_reach("src/**/*.{ts,tsx}"), GlobReach::Inside);
/// assert_eq!(glob_reach("/etc/*.conf"), GlobReach::Below("/etc/"));
/// assert_eq!(glob_reach("{src,..}/*.key"), GlobReach::Anywhere);
/// ```
#[must_use]
pub fn glob_reach(pattern: &str) -> GlobReach<'_> {
    if !pattern.contains(['{', '}']) {
        return reach_without_braces(pattern);
    }
    let is_inside = |alternatives: Vec<String>| {
        alternatives
            .iter()
            .all(|alternative| reach_without_braces(alternative) == GlobReach::Inside)
    };
    if braces::expand(pattern).is_some_and(is_inside) {
        GlobReach::Inside
    } else {
        GlobReach::Anywhere
    }
}

/// The directories that the alternatives of a pattern name before their first wildcard, each with a slash at its end.
pub(crate) fn literal_heads(pattern: &str) -> BTreeSet<String> {
    let alternatives = if pattern.contains(['{', '}']) {
        braces::expand(pattern).unwrap_or_default()
    } else {
        vec![pattern.to_owned()]
    };
    alternatives
        .iter()
        .filter_map(|alternative| {
            let wild = alternative.find(component::is_special);
            let literal = wild
                .and_then(|wild| alternative.get(..wild))
                .unwrap_or(alternative);
            literal.rfind('/').and_then(|slash| literal.get(..=slash))
        })
        .map(str::to_owned)
        .collect()
}

fn reach_without_braces(pattern: &str) -> GlobReach<'_> {
    let mut is_behind_wildcard = false;
    for (index, text) in pattern.split('/').enumerate() {
        let component = Component(text);
        let is_wild = component.is_wild();
        let leaves = component.may_be_parent() && (is_wild || is_behind_wildcard);
        // An empty first component makes the pattern absolute, and a `~` there makes it a home.
        let begins_elsewhere = index == 0 && is_wild && (component.may_be_empty() || component.may_be_home());
        if leaves || begins_elsewhere {
            return GlobReach::Anywhere;
        }
        is_behind_wildcard |= is_wild;
    }
    let literal = pattern
        .find(component::is_special)
        .and_then(|wild| pattern.get(..wild))
        .unwrap_or(pattern);
    if !begins_outside(literal) && !literal.split('/').any(|name| name == "..") {
        return GlobReach::Inside;
    }
    if literal == ".." || literal.ends_with("/..") && literal.len() == pattern.len() {
        return GlobReach::Below(pattern);
    }
    // The name in which the first wildcard stands is no directory; without a wildcard, neither is the last name.
    match literal.rfind('/').and_then(|slash| literal.get(..=slash)) {
        Some(head) => GlobReach::Below(head),
        None => GlobReach::Anywhere,
    }
}

fn begins_outside(literal: &str) -> bool {
    let is_scheme = literal
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("file:"));
    literal.starts_with(['/', '~']) || is_scheme
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::{GlobReach, glob_reach};

    #[rstest]
    #[case::empty("")]
    #[case::name("a.txt")]
    #[case::deep("src/**/*.rs")]
    #[case::two_dots_in_a_name("**/*.test.ts")]
    #[case::braces("**/*.{test.ts,spec.ts}")]
    #[case::braces_with_slash("{src,test/unit}/**/*.d.ts")]
    #[case::class("[a-z]*.rs")]
    #[case::excluded("!**/node_modules/**")]
    #[case::ellipsis("a...b/*")]
    #[case::hidden(".github/*")]
    #[case::number_range("f{1..3}.txt")]
    #[case::current("./src/*")]
    fn inside(#[case] pattern: &str) {
        assert_eq!(glob_reach(pattern), GlobReach::Inside);
    }

    #[rstest]
    #[case("/etc/*.conf", "/etc/")]
    #[case("/*", "/")]
    #[case("/etc/passwd", "/etc/")]
    #[case("../*", "../")]
    #[case("a/../../b/*", "a/../../b/")]
    #[case("../.env", "../")]
    #[case("..", "..")]
    #[case("a/..", "a/..")]
    #[case("~/.ssh/*", "~/.ssh/")]
    #[case("~root/*", "~root/")]
    #[case("file:///etc/*", "file:///etc/")]
    #[case("FILE:///etc/*", "FILE:///etc/")]
    fn below(#[case] pattern: &str, #[case] head: &str) {
        assert_eq!(glob_reach(pattern), GlobReach::Below(head));
    }

    #[rstest]
    #[case::late_parent("*/../../etc/*")]
    #[case::late_parent_behind_stars("**/../..")]
    #[case::braced_parent("{..,src}/*")]
    #[case::pieced_parent(".{.,x}/*")]
    #[case::two_pieces("{.,x}{.,y}/z")]
    #[case::split_over_a_slash(".{/x,./y}")]
    #[case::empty_alternative("{a,}/etc/passwd")]
    #[case::braced_root("{/etc,src}/x")]
    #[case::nested_braces("{a,{b,/etc}}/x")]
    #[case::braced_home("{~,src}/x")]
    #[case::class_parent("[.][.]/x")]
    #[case::half_class_parent("[.]./x")]
    #[case::escaped_parent(r"\.\./x")]
    #[case::escaped_root(r"\/etc/x")]
    #[case::escaped_home(r"\~/x")]
    #[case::escaped_brace(r"{a\},/etc}")]
    #[case::class_in_braces("{[}],/etc}")]
    #[case::extended_root("@()/etc")]
    #[case::extended_parent("@(.|..)/x")]
    #[case::shell_parent(".*/x")]
    #[case::shell_parent_short("..*")]
    #[case::negated_root("!/etc/*")]
    #[case::unbalanced("{a,b")]
    #[case::home_without_a_slash("~")]
    #[case::too_many("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}")]
    fn anywhere(#[case] pattern: &str) {
        assert_eq!(glob_reach(pattern), GlobReach::Anywhere);
    }

    /// Brace alternatives, outermost first: another way than the code's.
    fn alternatives(pattern: &str) -> Vec<String> {
        let Some(open) = pattern.find('{') else {
            return vec![pattern.to_owned()];
        };
        let (mut depth, mut cuts) = (0, vec![open]);
        for (at, c) in pattern.char_indices().skip(open) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => cuts.push(at),
                _ => {}
            }
            if depth == 0 {
                cuts.push(at);
                break;
            }
        }
        let close = *cuts.last().unwrap();
        let part = |from, to| pattern.get(from..to).unwrap_or_default();
        cuts.windows(2)
            .map(|cut| {
                let within = part(cut[0] + 1, cut[1]);
                format!("{}{within}{}", part(0, open), part(close + 1, pattern.len()))
            })
            .flat_map(|pattern| alternatives(&pattern))
            .collect()
    }

    fn balanced() -> impl Strategy<Value = String> {
        let leaf = prop::collection::vec(
            prop::sample::select(vec![".", "..", "/", "a", "*", "~", "?"]),
            0..3,
        )
        .prop_map(|parts| parts.concat());
        leaf.prop_recursive(3, 12, 3, |inner| {
            (inner.clone(), prop::collection::vec(inner.clone(), 1..3), inner)
                .prop_map(|(before, within, after)| format!("{before}{{{}}}{after}", within.join(",")))
        })
    }

    proptest! {
        #[test]
        fn inside_never_leads_out(pattern in balanced()) {
            let leads_out = alternatives(&pattern).iter().any(|alternative| {
                alternative.starts_with(['/', '~']) || alternative.split('/').any(|name| name == "..")
            });
            if leads_out {
                prop_assert_ne!(glob_reach(&pattern), GlobReach::Inside);
            }
        }

        #[test]
        fn any_text_has_an_answer(pattern in "[./{},*?\\[\\]()!@+|~a\\\\]{0,24}") {
            if let GlobReach::Below(head) = glob_reach(&pattern) {
                prop_assert!(pattern.starts_with(head));
            }
        }
    }
}
