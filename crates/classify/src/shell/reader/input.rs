//! The bytes, before anything is read.

use super::super::{Doubt, Place, Reason};

/// Longest text that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The text, when every character of it is what it looks like.
pub(super) fn check(text: &[u8]) -> Result<&str, Doubt> {
    let doubt = |reason, start, end| Doubt::new(reason, Place { start, end });
    if text.len() > MAX_BYTES {
        return Err(doubt(Reason::TooLong, MAX_BYTES, text.len()));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let start = error.valid_up_to();
        doubt(Reason::NotText, start, start + 1)
    })?;
    for (at, char) in text.char_indices() {
        if let Some(reason) = fault(char) {
            return Err(doubt(reason, at, at + char.len_utf8()));
        }
    }
    Ok(text)
}

/// The text with a sign that means nothing in place of each character that is not what it looks like, as long as that was.
pub(super) fn legible(text: &str) -> String {
    let mut legible = String::with_capacity(text.len());
    for char in text.chars() {
        match fault(char) {
            Some(_) => legible.extend(std::iter::repeat_n('_', char.len_utf8())),
            None => legible.push(char),
        }
    }
    legible
}

/// Whether a character shows as nothing, as a line break, or reorders what stands around it.
pub(super) const fn is_hidden(char: char) -> bool {
    matches!(fault(char), Some(Reason::HiddenCharacter))
}

const fn fault(char: char) -> Option<Reason> {
    match char {
        '\t' | '\n' | ' '..='~' => None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Reason::ControlCharacter),
        // Soft hyphen, joiners, marks of direction, separators, fillers, byte order mark, tags.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Some(Reason::HiddenCharacter),
        _ => None,
    }
}
