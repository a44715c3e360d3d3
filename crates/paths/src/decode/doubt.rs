//! What two common tools would read differently: refused at once, or as soon as the disk shows that it matters.

use unicode_normalization::UnicodeNormalization as _;

use crate::dialect::Sugar;
use crate::visible::odd_space;
use crate::{Error, ErrorKind};

/// A doubt that only the disk can settle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Ambiguous when this other reading leads to something.
    Rival(Vec<u8>),
    /// Ambiguous when this first component does not exist.
    Literal(Vec<u8>),
    /// Ambiguous when the path leads to nothing.
    Missing {
        /// Also for operations that create.
        creating: bool,
    },
}

/// Refuses text whose meaning depends on the order in which sugar is taken off.
pub(super) fn leading(text: &[u8], sugar: Sugar) -> Result<(), Error> {
    let Ok(text) = std::str::from_utf8(text) else {
        return Ok(());
    };
    let blank = |c: char| c.is_whitespace() || odd_space(c) || c == '\u{feff}';
    let rest = text.trim_start_matches(blank);
    let sugared = rest.starts_with(['@', '~', '/']) || scheme(rest.as_bytes()).is_some();
    let reordered = rest.len() != text.len() && sugared;
    let trimmed = sugar.may_trim && text.trim_matches(blank).len() != text.len();
    if reordered || trimmed {
        return Err(Error::new(ErrorKind::Ambiguous));
    }
    Ok(())
}

/// Refuses or notes doubtful spellings of a path whose sugar is off.
pub(super) fn spelling(path: &[u8], doubts: &mut Vec<Doubt>) -> Result<(), Error> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+@,=".contains(byte);
    if path.iter().all(plain) {
        return Ok(());
    }
    if path.first() == Some(&b'~') || scheme(path).is_some() {
        return Err(Error::new(ErrorKind::Ambiguous));
    }
    let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
    let variable = |byte: &u8| byte.is_ascii_alphabetic() || b"_{(".contains(byte);
    let expands = match first {
        [b'$', next, ..] => variable(next),
        [b'`', ..] => true,
        _ => false,
    };
    if expands {
        doubts.push(Doubt::Literal(first.to_vec()));
    }
    if let Ok(text) = std::str::from_utf8(path) {
        let spaced = text.replace(odd_space, " ");
        if spaced != text {
            doubts.push(Doubt::Rival(spaced.into_bytes()));
        }
        let composed: String = text.nfc().collect();
        if composed != text {
            doubts.push(Doubt::Rival(composed.into_bytes()));
        }
    }
    let has = |byte: u8| path.contains(&byte);
    if has(b'*') || has(b'?') || (has(b'{') && has(b',')) {
        doubts.push(Doubt::Missing { creating: true });
    } else if has(b'[') || has(b'{') || has(b'\\') {
        // Names such as `[slug].tsx` are made on purpose; reading one that is not there is a pattern.
        doubts.push(Doubt::Missing { creating: false });
    }
    Ok(())
}

/// A URL scheme: any before `://`, and `file:` before anything.
fn scheme(text: &[u8]) -> Option<&[u8]> {
    let colon = text.iter().position(|byte| *byte == b':')?;
    let (scheme, rest) = text.split_at_checked(colon)?;
    let (first, more) = scheme.split_first()?;
    let word = first.is_ascii_alphabetic()
        && more
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    (word && (rest.starts_with(b"://") || scheme.eq_ignore_ascii_case(b"file"))).then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ambient, Dialect, decode::decode};

    fn doubts(text: &str) -> Option<Vec<Doubt>> {
        let ambient = Ambient::empty().with_home("/h");
        decode(text.as_bytes(), &Dialect::AGENT, &ambient)
            .ok()
            .map(|decoded| decoded.doubts)
    }

    #[test]
    fn what_is_plain_is_not_doubted() {
        for text in [
            "src/a.rs", "/a/b", "../x", "a b", "~/x", "café", "a:b", "a$b", "#x", "it's", " ", "\t", "a ",
        ] {
            assert_eq!(doubts(text), Some(vec![]), "{text:?}");
        }
    }

    #[test]
    fn what_needs_no_disk_is_refused_at_once() {
        for text in [
            "~root",
            "~+/x",
            "FILE:///x",
            "file:/x",
            "https://h/x",
            "@https://h",
            "\u{a0}@x",
            " ~/x",
            " /x",
            "\u{feff}/x",
        ] {
            assert_eq!(doubts(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_the_disk_decides_is_noted() {
        assert_eq!(doubts("@a"), Some(vec![Doubt::Rival(b"@a".to_vec())]));
        assert_eq!(doubts("@a/b"), Some(vec![Doubt::Rival(b"@a".to_vec())]));
        assert_eq!(doubts("$HOME/x"), Some(vec![Doubt::Literal(b"$HOME".to_vec())]));
        assert_eq!(doubts("`pwd`/x"), Some(vec![Doubt::Literal(b"`pwd`".to_vec())]));
        assert_eq!(doubts("a\u{a0}b"), Some(vec![Doubt::Rival(b"a b".to_vec())]));
        assert_eq!(doubts("src/*.rs"), Some(vec![Doubt::Missing { creating: true }]));
        assert_eq!(doubts("[id].tsx"), Some(vec![Doubt::Missing { creating: false }]));
        assert_eq!(doubts("..\\x"), Some(vec![Doubt::Missing { creating: false }]));
    }
}
