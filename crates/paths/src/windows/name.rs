//! One name of a Windows path: what Win32 would read as something else than a name.

use super::WindowsFault;

const DEVICES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
/// They become `/`, `\`, `.` or `:` in one of the code pages of the narrow functions.
const NARROWED: [char; 17] = [
    '\u{2215}', '\u{2044}', '\u{ff0f}', '\u{29f8}', '\u{2216}', '\u{ff3c}', '\u{fe68}', '\u{29f5}', '\u{a5}',
    '\u{20a9}', '\u{ff0e}', '\u{2024}', '\u{fe52}', '\u{ff1a}', '\u{fe55}', '\u{2236}', '\u{1735}',
];
const LONGEST: usize = 255;

pub(super) fn check(name: &str) -> Result<(), WindowsFault> {
    if is_device(name) {
        return Err(WindowsFault::DeviceName);
    }
    if name.contains(':') {
        return Err(WindowsFault::Stream);
    }
    if name.contains(|c: char| c.is_control() || "<>\"|?*".contains(c)) {
        return Err(WindowsFault::ForbiddenCharacter);
    }
    if name.contains(NARROWED) {
        return Err(WindowsFault::NarrowedCharacter);
    }
    if name.ends_with(|c: char| c == '.' || c.is_whitespace()) {
        return Err(WindowsFault::TrailingDotOrBlank);
    }
    if name.encode_utf16().count() > LONGEST {
        return Err(WindowsFault::TooLong);
    }
    Ok(())
}

/// The stem counts, up to the first dot or colon and without the blanks before it.
fn is_device(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_uppercase();
    if DEVICES.contains(&stem.as_str()) {
        return true;
    }
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let mut digits = port.unwrap_or_default().chars();
    let digit = digits.next();
    digits.next().is_none() && digit.is_some_and(|digit| digit.is_ascii_digit() || "¹²³".contains(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names() {
        for name in [
            "a.txt", ".git", "console", "com", "com10", "com1x", "lpt", "nulls", "a b.c", "..a", "café",
            "CON1", "SECRET~1",
        ] {
            assert_eq!(check(name), Ok(()), "{name:?}");
        }
    }

    #[test]
    fn what_is_no_name_has_its_own_fault() {
        use WindowsFault::{
            DeviceName, ForbiddenCharacter, NarrowedCharacter, Stream, TooLong, TrailingDotOrBlank,
        };
        let long = "é".repeat(256);
        for (name, fault) in [
            ("nul", DeviceName),
            ("Aux.c", DeviceName),
            ("nul .txt", DeviceName),
            ("con.", DeviceName),
            ("nul:stream", DeviceName),
            ("COM0", DeviceName),
            ("com9.log", DeviceName),
            ("LPT\u{b9}", DeviceName),
            ("com\u{b2}.x", DeviceName),
            ("Com\u{b3} ", DeviceName),
            ("conout$", DeviceName),
            ("CONIN$.txt", DeviceName),
            ("prn.tar.gz", DeviceName),
            ("a:b", Stream),
            (".git::$INDEX_ALLOCATION", Stream),
            ("a|b", ForbiddenCharacter),
            ("a\u{1}", ForbiddenCharacter),
            ("a*", ForbiddenCharacter),
            ("a\u{2215}b", NarrowedCharacter),
            ("\u{a5}", NarrowedCharacter),
            ("\u{ff0e}\u{ff0e}", NarrowedCharacter),
            (".git.", TrailingDotOrBlank),
            (".git ", TrailingDotOrBlank),
            ("...", TrailingDotOrBlank),
            (" ", TrailingDotOrBlank),
            ("a\u{a0}", TrailingDotOrBlank),
            (long.as_str(), TooLong),
        ] {
            assert_eq!(check(name), Err(fault), "{name:?}");
        }
    }
}
