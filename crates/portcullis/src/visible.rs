/// Text that is safe to print on a terminal: control, bidirectional and zero-width characters are made visible as
/// escapes, and what is longer than `limit` characters is cut with `...`.
///
/// ```
/// assert_eq!(portcullis::visible("a\u{1b}[2Jb", 100), r"a\u{1b}[2Jb");
/// assert_eq!(portcullis::visible("abcdef", 3), "abc...");
/// ```
#[must_use]
pub fn visible(text: &str, limit: usize) -> String {
    let mut shown: String = text.chars().take(limit).flat_map(show).collect();
    if text.chars().nth(limit).is_some() {
        shown.push_str("...");
    }
    shown
}

/// Quotes are harmless and stay; a backslash is doubled, so that an escape cannot be mistaken for text.
fn show(c: char) -> impl Iterator<Item = char> {
    let plain = matches!(c, '"' | '\'');
    let (kept, escaped) = match plain {
        true => (Some(c), None),
        false => (None, Some(c.escape_debug())),
    };
    kept.into_iter().chain(escaped.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::quotes("it's \"x\"", "it's \"x\"")]
    #[case::lines("a\nb\r", r"a\nb\r")]
    #[case::bidi("\u{202e}\u{2066}", r"\u{202e}\u{2066}")]
    #[case::zero_width("\u{200b}\u{feff}", r"\u{200b}\u{feff}")]
    #[case::c1("\u{9b}2J", r"\u{9b}2J")]
    #[case::backslash(r"\n", r"\\n")]
    #[case::letters("naïve 世界", "naïve 世界")]
    fn nothing_that_a_terminal_acts_on_stays(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(visible(text, 100), shown);
    }
}
