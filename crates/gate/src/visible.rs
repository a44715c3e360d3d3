//! Text that is safe to look at: nothing invisible, nothing that steers a terminal, nothing without end.

/// Returns `text` with every character that could hide or steer replaced by its code point, and at most `most`
/// visible characters besides a mark that says how many were left out.
///
/// What does not fit is left out of the middle: the end of a path or a command is where a surprise would hide. The
/// result is one line. Applied to its own result (of the same bound) it changes nothing.
pub(crate) fn visible(text: &str, most: usize) -> String {
    let whole: usize = text.chars().map(width).take(most.saturating_add(1)).sum();
    if whole <= most {
        return text.chars().map(piece).collect();
    }
    let tail_room = most / 3;
    let head = fitting(text.chars(), most - tail_room);
    let mut tail = fitting(text.chars().rev(), tail_room);
    tail.reverse();
    let left_out = text.chars().count().saturating_sub(head.len() + tail.len());
    format!("{}…({left_out} more)…{}", head.concat(), tail.concat())
}

fn fitting(characters: impl Iterator<Item = char>, room: usize) -> Vec<String> {
    let mut left = room;
    characters
        .map_while(|character| {
            left = left.checked_sub(width(character))?;
            Some(piece(character))
        })
        .collect()
}

fn width(character: char) -> usize {
    if character.is_ascii_graphic() || character == ' ' {
        1
    } else {
        piece(character).chars().count()
    }
}

/// The same for bytes that need not be UTF-8.
pub(crate) fn visible_bytes(bytes: &[u8], most: usize) -> String {
    visible(&String::from_utf8_lossy(bytes), most)
}

fn piece(character: char) -> String {
    match character {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        hidden if hides(hidden) => format!("\\u{{{:x}}}", u32::from(hidden)),
        plain => plain.to_string(),
    }
}

/// Control, bidirectional, zero-width, filler and odd blank characters, line separators, tags, variation
/// selectors, and combining marks that stack without end.
fn hides(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{a0}'
                | '\u{ad}'
                | '\u{300}'..='\u{36f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{1680}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{2000}'..='\u{200f}'
                | '\u{2028}'..='\u{202f}'
                | '\u{205f}'..='\u{206f}'
                | '\u{20d0}'..='\u{20ff}'
                | '\u{2800}'
                | '\u{3000}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("build/cache", "build/cache")]
    #[case::letters("Größe 漢字", "Größe 漢字")]
    #[case::colour("\u{1b}[2Jrm", "\\u{1b}[2Jrm")]
    #[case::lines("a\nb\r\tc", "a\\nb\\r\\tc")]
    #[case::bidi("a\u{202e}txt.exe", "a\\u{202e}txt.exe")]
    #[case::zero_width("al\u{200b}low", "al\\u{200b}low")]
    #[case::c1("\u{9b}31m", "\\u{9b}31m")]
    #[case::blank("a\u{a0}b", "a\\u{a0}b")]
    fn hidden_characters_are_shown(#[case] raw: &str, #[case] shown: &str) {
        assert_eq!(visible(raw, 100), shown);
    }

    #[rstest]
    #[case::fits("abc", 3, "abc")]
    #[case::middle("abcdefghi", 6, "abcd…(3 more)…hi")]
    #[case::wide("ab\u{1b}cdefgh", 6, "ab…(5 more)…gh")]
    #[case::nothing_fits("\u{1b}\u{1b}", 3, "…(2 more)…")]
    fn a_long_text_keeps_its_ends_and_says_so(#[case] raw: &str, #[case] most: usize, #[case] shown: &str) {
        assert_eq!(visible(raw, most), shown);
    }

    proptest! {
        #[test]
        fn the_result_is_bounded_one_line_and_stays_what_it_is(text in any::<String>(), most in 0_usize..200) {
            let shown = visible(&text, most);
            prop_assert!(shown.chars().count() <= most + 32);
            prop_assert!(!shown.chars().any(hides));
            prop_assert_eq!(visible(&shown, usize::MAX), shown);
        }
    }
}
