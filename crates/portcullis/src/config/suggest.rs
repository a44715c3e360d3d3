//! "Did you mean": the nearest known word.

/// The known word nearest to `word`, when one is near enough to be a likely slip of the fingers.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(steps, candidate)| *steps <= (length.max(candidate.len()) / 3).max(1))
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, candidate)| candidate)
}

/// Insertions, removals and replacements that turn one word into the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (steps, left) in from.chars().enumerate() {
        let mut corner = steps;
        let mut last = steps + 1;
        let mut next = vec![last];
        for (right, above) in to.iter().zip(row.iter().skip(1)) {
            let replaced = corner + usize::from(left != *right);
            last = replaced.min(last + 1).min(above + 1);
            next.push(last);
            corner = *above;
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("", "", 0)]
    #[case("", "abc", 3)]
    #[case("abc", "", 3)]
    #[case("kitten", "sitting", 3)]
    #[case("preset", "presett", 1)]
    #[case("deny_raed", "deny_read", 2)]
    fn counts_single_steps(#[case] from: &str, #[case] to: &str, #[case] steps: usize) {
        assert_eq!(distance(from, to), steps);
        assert_eq!(distance(to, from), steps);
    }

    #[rstest]
    #[case("presett", Some("preset"))]
    #[case("rules", Some("rule"))]
    #[case("becuase", Some("because"))]
    #[case("zzz", None)]
    #[case("", None)]
    fn suggests_only_what_is_near(#[case] word: &str, #[case] found: Option<&str>) {
        assert_eq!(nearest(word, ["preset", "rule", "zones", "because"]), found);
    }
}
