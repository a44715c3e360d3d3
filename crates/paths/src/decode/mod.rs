//! One decode, one string (R1): a tool's sugar is taken off once, and what comes out is judged and used.

mod doubt;
mod respell;

use std::borrow::Cow;
use std::os::unix::ffi::OsStrExt as _;

pub(crate) use doubt::Doubt;
pub(crate) use respell::spellings;

use crate::bytes::any;
use crate::file_url;
use crate::visible::odd_space;
use crate::{Ambient, Dialect, Error, ErrorKind};

/// The kernel's bound on a path, its NUL included.
const PATH_MAX: usize = 4096;

/// A decoded path and what could make it ambiguous.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) path: Cow<'a, [u8]>,
    pub(crate) doubts: Vec<Doubt>,
}

/// Decodes the text as the tool will.
///
/// # Errors
/// `Syntax`, `Ambiguous` or `TooLong`.
pub(crate) fn decode<'a>(text: &'a [u8], dialect: &Dialect, ambient: &Ambient) -> Result<Decoded<'a>, Error> {
    if is_plain(text) {
        return Ok(Decoded {
            path: Cow::Borrowed(text),
            doubts: Vec::new(),
        });
    }
    let sugar = dialect.sugar();
    if text.contains(&0) || (sugar.utf8 && std::str::from_utf8(text).is_err()) {
        return Err(Error::new(ErrorKind::Syntax));
    }
    let mut doubts = Vec::new();
    if sugar.careful {
        doubt::leading(text, sugar)?;
    }
    let mut path = Cow::Borrowed(text);
    if sugar.spaces && !text.is_ascii() {
        path = Cow::Owned(plain_spaces(text));
    }
    if sugar.at && path.first() == Some(&b'@') {
        if sugar.careful {
            // Who has a directory `@types` may mean it, whatever of the rest is there yet.
            let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
            doubts.push(Doubt::Rival(first.to_vec()));
        }
        path = match path {
            Cow::Borrowed(path) => Cow::Borrowed(path.get(1..).unwrap_or_default()),
            Cow::Owned(mut path) => Cow::Owned(path.split_off(1)),
        };
    }
    if path.is_empty() {
        if !sugar.empty_is_cwd {
            return Err(Error::new(ErrorKind::Syntax));
        }
        path = Cow::Borrowed(b".");
    }
    if sugar.home && (*path == *b"~" || path.starts_with(b"~/")) {
        if sugar.home_in_doubt {
            doubts.push(Doubt::Rival(b"~".to_vec()));
        }
        path = Cow::Owned(at_home(&path, ambient)?);
    } else if sugar.file_url && path.starts_with(b"file://") {
        path = Cow::Owned(file_url::decode(&path).ok_or(Error::new(ErrorKind::Syntax))?);
    } else if sugar.careful {
        doubt::spelling(&path, &mut doubts)?;
    }
    if path.len() >= PATH_MAX {
        return Err(Error::new(ErrorKind::TooLong));
    }
    Ok(Decoded { path, doubts })
}

/// Text that no dialect reads in another way: this is nearly every path.
#[inline]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: u8| {
        // How far beyond the last letter, and beyond the last digit: `-`, `.`, `/` and the digits stand side by side.
        let letter = (byte | 0x20).wrapping_sub(b'a').saturating_sub(25);
        let digit = byte.wrapping_sub(b'-').saturating_sub(b'9' - b'-');
        letter.min(digit).min(byte ^ b'_')
    };
    !text.is_empty() && text.len() < PATH_MAX && !any(text, odd)
}

fn at_home(path: &[u8], ambient: &Ambient) -> Result<Vec<u8>, Error> {
    let home = ambient.home().ok_or(Error::new(ErrorKind::Syntax))?;
    if !home.is_absolute() {
        return Err(Error::new(ErrorKind::Syntax));
    }
    let mut whole = home.as_os_str().as_bytes().to_vec();
    whole.extend_from_slice(path.get(1..).unwrap_or_default());
    Ok(whole)
}

/// Pi's list: not U+1680, U+200B or U+FEFF.
fn plain_spaces(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text)
        .replace(|c| odd_space(c) && c != '\u{1680}', " ")
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str, dialect: &Dialect) -> Option<String> {
        let ambient = Ambient::empty().with_home("/home/u");
        let decoded = decode(text.as_bytes(), dialect, &ambient).ok()?;
        Some(String::from_utf8(decoded.path.into_owned()).unwrap())
    }

    #[test]
    fn sugar_is_taken_off_once() {
        for (dialect, text, expected) in [
            (Dialect::AGENT, "@src/a", Some("src/a")),
            (Dialect::AGENT, "@@src", Some("@src")),
            (Dialect::AGENT, "@~/x", Some("/home/u/x")),
            (Dialect::AGENT, "~", Some("/home/u")),
            (Dialect::AGENT, "~root/x", None),
            (Dialect::AGENT, "", None),
            (Dialect::AGENT, "@", None),
            (Dialect::AGENT, "./~/x", Some("./~/x")),
            (Dialect::PI, "", Some(".")),
            (Dialect::PI, "@", Some(".")),
            (Dialect::PI, "~user", Some("~user")),
            (Dialect::PI, "\u{a0}@x", Some(" @x")),
            (Dialect::PI, "a\u{200b}b", Some("a\u{200b}b")),
            (Dialect::PI, "FILE:///x", Some("FILE:///x")),
            (Dialect::PI, " ~/x", Some(" ~/x")),
            (Dialect::PI, "file:///a%20b", Some("/a b")),
            (Dialect::PLAIN, "@~/x", Some("@~/x")),
            (Dialect::SHELL_WORD, "~/x", Some("~/x")),
            (Dialect::NODE, "", Some(".")),
            (Dialect::CLAUDE_CODE, "~/x", Some("/home/u/x")),
            (Dialect::CLAUDE_CODE, "@x", Some("@x")),
            (Dialect::CLAUDE_CODE, "file:///x", None),
        ] {
            assert_eq!(
                path(text, &dialect).as_deref(),
                expected,
                "{} {text:?}",
                dialect.name()
            );
        }
    }

    #[test]
    fn letters_digits_and_few_signs_are_plain() {
        for byte in 0..=u8::MAX {
            let expected = byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
            assert_eq!(is_plain(&[b'a', byte, b'b']), expected, "{byte:#x}");
        }
        assert!(!is_plain(b"") && !is_plain(&[b'a'; PATH_MAX]));
    }

    #[test]
    fn nul_and_bad_utf8_never_pass() {
        let ambient = Ambient::empty();
        for dialect in [Dialect::PLAIN, Dialect::AGENT, Dialect::PI, Dialect::SHELL_WORD] {
            assert!(decode(b"a\0b", &dialect, &ambient).is_err());
        }
        assert!(decode(b"a\xff", &Dialect::AGENT, &ambient).is_err());
        assert!(decode(b"a\xff", &Dialect::SHELL_WORD, &ambient).is_ok());
        assert!(
            decode(b"~/x", &Dialect::AGENT, &ambient).is_err(),
            "no home is known"
        );
    }
}
