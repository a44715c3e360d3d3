//! Folded names: what some file system would take for the same name. For deny and confirm rules only (R4).

use unicode_normalization::UnicodeNormalization as _;

use crate::visible::ignorable;

/// Compatibility decomposition, case folded, default-ignorable code points removed. Bytes that are not UTF-8 stay.
pub(crate) fn fold(name: &[u8]) -> Vec<u8> {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let mut folded = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        let text: String = chunk
            .valid()
            .nfkd()
            .filter(|c| !ignorable(*c))
            // A capital sharp s is only by way of the small one two letters.
            .flat_map(char::to_lowercase)
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase)
            .nfkd()
            .collect();
        folded.extend_from_slice(text.as_bytes());
        folded.extend_from_slice(chunk.invalid());
    }
    folded
}

/// Whether the names could fold to the same. Never wrong with `false`.
pub(crate) fn may_fold_alike(a: &[u8], b: &[u8]) -> bool {
    !a.is_ascii() || !b.is_ascii() || a.eq_ignore_ascii_case(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_disk_confuses_fold_alike() {
        for (a, b) in [
            (".git", ".GIT"),
            (".git", ".\u{200b}git"),
            (".git", ".g\u{ad}it"),
            ("key", "\u{212a}ey"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("CAFÉ", "café"),
            ("ß", "SS"),
            ("\u{1e9e}", "ss"),
            ("ﬁle", "file"),
            ("σ", "ς"),
            ("．git", ".git"),
        ] {
            assert_eq!(fold(a.as_bytes()), fold(b.as_bytes()), "{a:?} {b:?}");
            assert!(may_fold_alike(a.as_bytes(), b.as_bytes()));
        }
        assert_ne!(fold(b".git"), fold(b".gitignore"));
        assert_ne!(fold(b"a\xff"), fold(b"a\xfe"));
        assert!(!may_fold_alike(b"src", b"docs"));
    }
}
