//! What can only be a secret, wherever it stands: tokens with a known beginning, and private keys.

use std::ops::Range;

use super::table::table;

const KEY_BEGINS: &str = "-----BEGIN ";
const KEY_IS: &str = "PRIVATE KEY";
const KEY_ENDS: &str = "-----END ";

pub(super) fn find(text: &str, hidden: &mut Vec<Range<usize>>) {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if !before.is_ascii_alphanumeric()
            && let Some(rest) = text.get(at..)
            && let Some(length) = token(rest)
        {
            hidden.push(at..at + length);
        }
        before = c;
    }
    keys(text, hidden);
}

fn token(rest: &str) -> Option<usize> {
    let shape = table().shape_of(rest)?;
    let more = rest.get(shape.begins.len()..)?;
    let goes_on = |c: char| is_token(c) || c == '.' || (shape.base64 && matches!(c, '/' | '+' | '='));
    let more = more.get(..more.find(|c| !goes_on(c)).unwrap_or(more.len()))?;
    let length = shape.begins.len() + more.len();
    let is_name = shape.word && is_made_of_words(more);
    (more.len() >= shape.more && !is_name).then_some(length)
}

fn is_made_of_words(more: &str) -> bool {
    let mut parts = more.split(['_', '-', '.']);
    parts.clone().count() > 2 && parts.all(|part| part.chars().all(|c| c.is_ascii_lowercase()))
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// From the line after the beginning to the end of the key, or of the text.
fn keys(text: &str, hidden: &mut Vec<Range<usize>>) {
    if !text.contains('B') {
        return;
    }
    let mut at = 0;
    while let Some(begins) = text.get(at..).and_then(|rest| rest.find(KEY_BEGINS)) {
        let start = at + begins + KEY_BEGINS.len();
        let rest = text.get(start..).unwrap_or_default();
        let end = rest.find(KEY_ENDS).map_or(text.len(), |end| start + end);
        let head = rest.find("-----").unwrap_or(rest.len());
        if rest.get(..head).is_some_and(|head| head.contains(KEY_IS)) {
            hidden.push((start + head).min(end)..end);
        }
        at = end.max(start);
    }
}
