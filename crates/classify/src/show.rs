//! Text of others, made safe to look at (invariant 11).

/// Most characters of an operand as effects show it.
pub(crate) const OPERAND_LIMIT: usize = 200;

/// Room that the note about left-out characters may take.
const NOTE: usize = 40;

/// An operand as written: escaped, and bounded to [`OPERAND_LIMIT`] characters.
pub(crate) fn operand(text: &str) -> String {
    visible(text, OPERAND_LIMIT)
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

/// The text with everything that a terminal would act on, hide or reorder written as an escape, at most `limit`
/// characters long (a limit below 80 is taken as 80).
///
/// What does not fit is left out of the middle: the end of a command is where a surprise would hide. Escaping
/// twice changes nothing more. A backslash stays a backslash, so the result is for eyes and cannot be read back.
pub(crate) fn visible(text: &str, limit: usize) -> String {
    let limit = limit.max(80);
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

/// Whether a terminal shows the character as itself: not a control, not a blank other than the common one, not
/// invisible, and without power over the direction of its neighbours.
fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    !(c.is_control()
        || c.is_whitespace()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    proptest! {
        #[test]
        fn what_is_shown_is_plain_bounded_and_stays_as_it_is(text in any::<String>(), limit in 80_usize..300) {
            let shown = visible(&text, limit);
            prop_assert!(shown.chars().all(is_plain), "{shown:?}");
            prop_assert!(shown.chars().count() <= limit);
            prop_assert_eq!(visible(&shown, limit), shown);
        }

        #[test]
        fn the_end_of_a_long_command_stays_in_sight(filling in 200_usize..100_000) {
            let shown = operand(&format!("echo {}; rm -rf ~", "a".repeat(filling)));
            prop_assert!(shown.starts_with("echo aaa"));
            prop_assert!(shown.ends_with("; rm -rf ~"), "{shown}");
            prop_assert!(shown.chars().count() <= OPERAND_LIMIT);
        }
    }

    #[test]
    fn a_text_that_fits_is_not_cut() {
        let text = "x".repeat(OPERAND_LIMIT);
        assert_eq!(operand(&text), text);
        assert_eq!(operand("grüße/日本.txt"), "grüße/日本.txt");
        assert_eq!(operand(r"a\b"), r"a\b");
    }

    #[test]
    fn hostile_characters_become_visible() {
        assert_eq!(operand("a\u{1b}[31mb"), r"a\u{1b}[31mb");
        assert_eq!(operand("a\nb\tc\rd"), r"a\nb\tc\rd");
        for c in [
            '\u{202e}',
            '\u{2066}',
            '\u{200b}',
            '\u{feff}',
            '\u{a0}',
            '\u{9b}',
            '\u{e0041}',
            '\u{2028}',
        ] {
            assert!(operand(&format!("a{c}b")).is_ascii(), "{c:?}");
        }
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

    #[test]
    fn the_note_fits_its_room_whatever_the_count() {
        assert!(format!("...({} more)...", usize::MAX).len() <= NOTE);
    }
}
