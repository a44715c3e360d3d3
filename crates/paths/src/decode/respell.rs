//! The other spellings of a missing name that Pi's `read` tries.

use unicode_normalization::UnicodeNormalization as _;

/// The spellings in the order they are tried, without those that change nothing.
pub(crate) fn spellings(path: &[u8]) -> Vec<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(path) else {
        return Vec::new();
    };
    let decomposed: String = text.nfd().collect();
    let curly = |text: &str| text.replace('\'', "\u{2019}");
    let mut found: Vec<Vec<u8>> = Vec::new();
    for spelling in [
        narrow_before_half_day(text),
        decomposed.clone(),
        curly(text),
        curly(&decomposed),
    ] {
        let spelling = spelling.into_bytes();
        if spelling != path && !found.contains(&spelling) {
            found.push(spelling);
        }
    }
    found
}

/// A narrow no-break space before `AM.` and `PM.`, as in the names of screenshots.
fn narrow_before_half_day(text: &str) -> String {
    let mut result = text.to_owned();
    for half in ["AM", "PM", "am", "pm", "Am", "Pm", "aM", "pM"] {
        result = result.replace(&format!(" {half}."), &format!("\u{202f}{half}."));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_spellings_that_differ() {
        assert!(spellings(b"src/a.rs").is_empty());
        assert_eq!(
            spellings("Shot 1 PM.png".as_bytes()),
            ["Shot 1\u{202f}PM.png".as_bytes()]
        );
        assert_eq!(
            spellings("it's café".as_bytes()),
            [
                "it's cafe\u{301}".as_bytes(),
                "it\u{2019}s café".as_bytes(),
                "it\u{2019}s cafe\u{301}".as_bytes(),
            ]
        );
    }
}
