//! Names that a plain pattern selects.

/// Whether a name fits a pattern in which `*` stands for anything and `?` for one character, and every other sign for
/// itself. Steps are bounded by the product of both lengths.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    // Nearly every name is told by how it begins.
    let plain = pattern.find(['*', '?']).unwrap_or(pattern.len());
    if pattern.get(..plain).is_none_or(|plain| !name.starts_with(plain)) {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    // Where the last star stood, and what it covered so far.
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(of) {
            Some('*') => {
                star = Some((of, at));
                of += 1;
            }
            Some(sign) if *sign == '?' || Some(sign) == name.get(at) => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((stood, covered)) = star else {
                    return false;
                };
                star = Some((stood, covered + 1));
                of = stood + 1;
                at = covered + 1;
            }
        }
    }
    pattern
        .get(of..)
        .is_some_and(|rest| rest.iter().all(|sign| *sign == '*'))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_plain_pattern_fits_as_in_a_shell() {
        for (pattern, name, expected) in [
            ("*", "a", true),
            ("*.md", "a.md", true),
            ("*.md", "a.mdx", false),
            ("a*b*c", "aXbYbZc", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a?c", "aéc", true),
            ("", "", true),
            ("**", "x", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
