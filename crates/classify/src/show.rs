//! Text of others, made safe to look at (invariant 11).

use portcullis_paths::visible;

use crate::secrets;

/// Most characters of an operand as effects show it.
pub(crate) const OPERAND_LIMIT: usize = 200;

/// An operand as written, but for the secrets that commands are told: escaped, and bounded to [`OPERAND_LIMIT`] characters.
pub(crate) fn operand(text: &str) -> String {
    masked(&secrets::masked(text))
}

/// An operand from which the secrets were taken already.
pub(crate) fn masked(text: &str) -> String {
    visible(text, OPERAND_LIMIT)
}

/// The same for a path, an address or a name, which no shell reads.
pub(crate) fn told(text: &str) -> String {
    masked(&secrets::told(text))
}

/// A sentence that quotes a path, without the secrets in it. It is safe to look at already.
pub(crate) fn sentence(text: &str) -> String {
    secrets::told(text).into_owned()
}

/// A URL without the user name and password it may hold.
pub(crate) fn without_credentials(url: &str) -> String {
    let start = url.find("//").map_or(0, |at| at + 2);
    let (scheme, rest) = url.split_at(start);
    let authority = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(authority);
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}***@{host}{path}"),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_text_that_fits_is_not_cut() {
        let text = "x".repeat(OPERAND_LIMIT);
        assert_eq!(operand(&text), text);
        assert_eq!(operand("grüße/日本.txt"), "grüße/日本.txt");
        assert_eq!(operand(r"a\b"), r"a\b");
    }

    #[rstest]
    #[case("https://example.org/a?b#c", "https://example.org/a?b#c")]
    #[case("https://user:secret@example.org/a", "https://***@example.org/a")]
    #[case("https://user:sec@ret@example.org", "https://***@example.org")]
    #[case("user:secret@example.org/x", "***@example.org/x")]
    #[case("https://example.org/@scope/name", "https://example.org/@scope/name")]
    #[case("", "")]
    fn credentials_of_a_url_are_not_shown(#[case] url: &str, #[case] shown: &str) {
        assert_eq!(without_credentials(url), shown);
    }
}
