//! The only words that a command rule may have: those that every shell reads as they stand.

/// Whether the text is a single plain word.
pub(super) fn is_plain_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '+' | '%' | '@' | '=')
}

#[cfg(test)]
mod tests {
    use super::is_plain_word;

    #[test]
    fn only_what_needs_no_quotes_is_plain() {
        for word in ["git", "grüße.txt", "-DX=1", "a,b.c", "./x", "a@b:c+d%"] {
            assert!(is_plain_word(word), "{word}");
        }
        for word in [
            "", "a b", "a;b", "'a'", "$x", "a*", "~", "a\\b", "a\u{a0}b", "a\nb", "{a}", "!",
        ] {
            assert!(!is_plain_word(word), "{word}");
        }
    }
}
