/// A key that the screen knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Up,
    Down,
    PageUp,
    PageDown,
    Enter,
    Escape,
    Backspace,
    /// Ctrl-C and Ctrl-D.
    Leave,
    Char(char),
    /// Everything else.
    Other,
}

/// The first key of what was typed, and how many bytes it has. `None` for an empty text, and for a character that is
/// not whole.
pub(super) fn first(typed: &[u8]) -> Option<(Key, usize)> {
    let key = match typed {
        [] => return None,
        [0x1b, b'[' | b'O', b'A', ..] => (Key::Up, 3),
        [0x1b, b'[' | b'O', b'B', ..] => (Key::Down, 3),
        [0x1b, b'[', b'5', b'~', ..] => (Key::PageUp, 4),
        [0x1b, b'[', b'6', b'~', ..] => (Key::PageDown, 4),
        [0x1b] => (Key::Escape, 1),
        // A key that is not known, however long: nothing of it is another key.
        [0x1b, ..] => (Key::Other, typed.len()),
        [b'\r' | b'\n', ..] => (Key::Enter, 1),
        [0x7f | 0x08, ..] => (Key::Backspace, 1),
        [0x03 | 0x04, ..] => (Key::Leave, 1),
        [byte, ..] if byte.is_ascii_control() => (Key::Other, 1),
        [byte, ..] if byte.is_ascii() => (Key::Char(char::from(*byte)), 1),
        _ => return character(typed),
    };
    Some(key)
}

fn character(typed: &[u8]) -> Option<(Key, usize)> {
    for length in 2..=4 {
        let text = typed.get(..length).map(std::str::from_utf8);
        match text {
            Some(Ok(text)) => return text.chars().next().map(|c| (Key::Char(c), length)),
            Some(Err(error)) if error.error_len().is_some() => return Some((Key::Other, 1)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(b"a\r", Some((Key::Char('a'), 1)))]
    #[case(b"\r", Some((Key::Enter, 1)))]
    #[case(b"\x1b[Ax", Some((Key::Up, 3)))]
    #[case(b"\x1bOB", Some((Key::Down, 3)))]
    #[case(b"\x1b", Some((Key::Escape, 1)))]
    #[case(b"\x1b[200~a\r", Some((Key::Other, 8)))]
    #[case(b"\x03", Some((Key::Leave, 1)))]
    #[case(b"\x00", Some((Key::Other, 1)))]
    #[case("\u{e9}x".as_bytes(), Some((Key::Char('\u{e9}'), 2)))]
    #[case(&[0xff, b'a'], Some((Key::Other, 1)))]
    #[case(&[0xc3], None)]
    #[case(b"", None)]
    fn the_first_key_is_found(#[case] typed: &[u8], #[case] key: Option<(Key, usize)>) {
        assert_eq!(first(typed), key);
    }
}
