//! What follows the word `Bearer` or `Basic`.

use std::ops::Range;

use super::value;
use super::view::{View, is_blank};

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    let mut place = 0;
    while place < view.len() {
        let start = view.past(place, |c| !c.is_ascii_alphanumeric());
        let end = view.past(start, |c| c.is_ascii_alphanumeric());
        place = end.max(place + 1);
        let after = view.past(end, is_blank);
        if after == end {
            continue;
        }
        let bearer = end - start == 6 && view.goes_on(start, "bearer");
        let basic = end - start == 5 && view.goes_on(start, "basic");
        if (bearer || basic)
            && let Some(credential) = value::word(view, after)
            && looks_like_one(view.part(credential.clone()), basic)
        {
            found.push(credential);
        }
    }
}

/// "The bearer of this" and "basic rules" are prose.
fn looks_like_one(word: &[char], basic: bool) -> bool {
    let digit = word.iter().any(char::is_ascii_digit);
    let upper = word.iter().skip(1).any(char::is_ascii_uppercase);
    if basic {
        word.len() >= 8 && (digit || upper || word.contains(&'='))
    } else {
        word.len() >= 6 || digit || upper
    }
}
