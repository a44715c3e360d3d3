//! What stands between marks of another language: `<password>x</password>`, `IDENTIFIED BY 'x'`.

use std::ops::Range;

use super::named::sounds_secret;
use super::value;
use super::view::{View, is_blank, is_quote};

/// Longest tag that is looked at, in characters.
const LONGEST_TAG: usize = 300;
/// From `identified` to its `by`, in characters, at most.
const FARTHEST: usize = 60;

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    for place in 0..view.len() {
        if view.at(place) == '<' {
            found.extend(element(view, place));
        } else if view.goes_on(place, "identified") {
            found.extend(identified(view, place));
        }
    }
}

/// What an element holds that begins here, when its name or an attribute sounds secret.
fn element(view: &View, open: usize) -> Option<Range<usize>> {
    let name_end = view.past(open + 1, |c| is_name(c) || c == ':');
    let most = (open + LONGEST_TAG).min(view.len());
    let end = (name_end..most).find(|at| view.at(*at) == '>')?;
    let text = |range: Range<usize>| view.part(range).iter().collect::<String>();
    let attributes = text(name_end..end);
    let mut words = attributes
        .split(['"', '\'', ' '])
        .filter(|word| !word.ends_with('='));
    if name_end == open + 1 || !(sounds_secret(&text(open + 1..name_end)) || words.any(sounds_secret)) {
        return None;
    }
    let close = view.past(end + 1, |c| c != '<');
    (close > end + 1 && view.at(close + 1) == '/').then(|| end + 1..close)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// `identified with x by 'secret'`
fn identified(view: &View, start: usize) -> Option<Range<usize>> {
    let most = (start + FARTHEST).min(view.len());
    let by = (start..most).find(|at| is_blank(view.before(*at)) && view.goes_on(*at, "by "))?;
    let value = view.past(by + 2, is_blank);
    is_quote(view.at(value)).then(|| value::word(view, value))?
}
