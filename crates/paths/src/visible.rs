//! Text of others, made safe to look at (invariant 11): what a terminal would hide, reorder or obey is spelled out.

use std::fmt::{self, Write as _};

/// Room that the note about left-out characters may take.
const NOTE: usize = 40;

/// The text on one line, with everything that a terminal would act on, hide or reorder written as an escape, at most
/// `limit` characters long (a limit below 80 is taken as 80).
///
/// What does not fit is left out of the middle: the end of a command is where a surprise would hide. Escaping
/// twice changes nothing more. A backslash stays a backslash, so the result is for eyes and cannot be read back.
///
/// ```
/// assert_eq!(portcullis_paths::visible("a\u{1b}[2Jb", 100), r"a\u{1b}[2Jb");
/// ```
#[must_use]
pub fn visible(text: &str, limit: usize) -> String {
    let limit = limit.max(80);
    // Nearly every text: nothing to escape, and nothing to cut.
    if text.len() <= limit && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let whole: usize = text.chars().map(width).take(limit + 1).sum();
    if whole <= limit {
        let mut shown = String::with_capacity(text.len());
        text.chars().for_each(|c| write_visible(&mut shown, c));
        return shown;
    }
    let tail_room = (limit - NOTE) / 3;
    let head = fitting(text.chars(), limit - NOTE - tail_room);
    let tail = fitting(text.chars().rev(), tail_room);
    let left_out = text.chars().count().saturating_sub(head.len() + tail.len());
    let mut shown = String::new();
    head.into_iter().for_each(|c| write_visible(&mut shown, c));
    shown.push_str(&format!("...({left_out} more)..."));
    tail.into_iter().rev().for_each(|c| write_visible(&mut shown, c));
    shown
}

fn fitting(chars: impl Iterator<Item = char>, mut room: usize) -> Vec<char> {
    chars
        .take_while(|&c| {
            let fits = width(c) <= room;
            room = room.saturating_sub(width(c));
            fits
        })
        .collect()
}

fn width(c: char) -> usize {
    if is_plain(c) { 1 } else { escape(c).count() }
}

fn write_visible(out: &mut String, c: char) {
    if is_plain(c) {
        out.push(c);
    } else {
        out.extend(escape(c));
    }
}

fn escape(c: char) -> Box<dyn Iterator<Item = char>> {
    match c {
        '\n' | '\r' | '\t' => Box::new(c.escape_default()),
        _ => Box::new(c.escape_unicode()),
    }
}

/// Whether a terminal shows the character as itself, apart from its neighbours: not a control, not a blank other than
/// the common one, not invisible, without power over direction, and no mark that is drawn onto what stands before it.
fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    !(hidden(c) || c.is_whitespace() || matches!(c, '\u{0300}'..='\u{036f}' | '\u{20d0}'..='\u{20ff}'))
}

/// A control, bidirectional, zero-width or otherwise invisible character, or one whose look nobody knows.
pub(crate) fn hidden(c: char) -> bool {
    c.is_control()
        || ignorable(c)
        || matches!(c,
            '\u{2028}' | '\u{2029}' | '\u{2800}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

/// A name with everything invisible spelled out; unlike [`visible`] it can be read back, so a backslash is doubled.
pub(crate) struct Spelled<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) limit: usize,
}

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.limit;
        for chunk in self.bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                if left == 0 {
                    return f.write_char('…');
                }
                left -= 1;
                match c {
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    '\\' => f.write_str("\\\\")?,
                    c if hidden(c) || odd_space(c) || c == '`' => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                    c => f.write_char(c)?,
                }
            }
            for byte in chunk.invalid() {
                if left == 0 {
                    return f.write_char('…');
                }
                left -= 1;
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// Unicode's `Default_Ignorable_Code_Point`: file systems that fold names drop these.
pub(crate) fn ignorable(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The spaces that some tools turn into a plain one (R1).
pub(crate) fn odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{00a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// A name that a person cannot read as it is: hidden characters or bytes that are not UTF-8.
pub(crate) fn unusual(name: &[u8]) -> bool {
    std::str::from_utf8(name).map_or(true, |name| name.chars().any(hidden))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spelled(bytes: &[u8]) -> String {
        Spelled { bytes, limit: 40 }.to_string()
    }

    proptest! {
        #[test]
        fn what_is_shown_is_plain_bounded_and_stays_as_it_is(text in any::<String>(), limit in 80_usize..300) {
            let shown = visible(&text, limit);
            prop_assert!(shown.chars().all(is_plain), "{shown:?}");
            prop_assert!(shown.chars().count() <= limit);
            prop_assert_eq!(visible(&shown, limit), shown);
        }

        #[test]
        fn nothing_hidden_stays_in_a_spelled_name(bytes in any::<Vec<u8>>()) {
            let shown = Spelled { bytes: &bytes, limit: usize::MAX }.to_string();
            prop_assert!(!shown.chars().any(|c| hidden(c) || odd_space(c)), "{shown:?}");
        }
    }

    #[test]
    fn hostile_characters_become_visible() {
        assert_eq!(visible("a\u{1b}[31mb", 80), r"a\u{1b}[31mb");
        assert_eq!(visible("a\nb\tc\rd", 80), r"a\nb\tc\rd");
        for c in [
            '\u{202e}',
            '\u{2066}',
            '\u{200b}',
            '\u{feff}',
            '\u{a0}',
            '\u{9b}',
            '\u{e0041}',
            '\u{2028}',
            '\u{2800}',
            '\u{301}',
            '\u{34f}',
            '\u{e000}',
            '\u{fffa}',
            '\u{3164}',
        ] {
            assert!(visible(&format!("a{c}b"), 80).is_ascii(), "{c:?}");
        }
        assert_eq!(visible("grüße/日本.txt", 80), "grüße/日本.txt");
    }

    #[test]
    fn the_middle_is_left_out_and_said_so() {
        let shown = visible(&format!("rm {}; rm -rf ~", "a".repeat(1000)), 100);
        assert!(
            shown.starts_with("rm aaa") && shown.ends_with("; rm -rf ~"),
            "{shown}"
        );
        assert!(shown.contains(" more)..."), "{shown}");
    }

    #[test]
    fn the_note_fits_its_room_whatever_the_count() {
        assert!(format!("...({} more)...", usize::MAX).len() <= NOTE);
    }

    #[test]
    fn what_a_terminal_hides_is_spelled_out() {
        assert_eq!(spelled(b"a\x1b[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(spelled("x\u{202e}txt.exe".as_bytes()), "x\\u{202e}txt.exe");
        assert_eq!(spelled(".\u{200b}git".as_bytes()), ".\\u{200b}git");
        assert_eq!(spelled("my\u{a0}file".as_bytes()), "my\\u{a0}file");
        assert_eq!(spelled(b"b\xff.txt"), "b\\xff.txt");
        assert_eq!(spelled(b"two\nlines\\`"), "two\\nlines\\\\\\u{60}");
        assert_eq!(spelled("café".as_bytes()), "café");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(spelled(&[b'a'; 100]).chars().count(), 41);
    }
}
