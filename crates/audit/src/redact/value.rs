//! Where does a value end? When in doubt, later.

use std::ops::Range;

use super::view::{END, View, is_blank, is_quote};

/// A value as a shell or a URL ends it.
pub(super) fn word(view: &View, start: usize) -> Option<Range<usize>> {
    value(view, start, |c| is_blank(c) || is_operator(c))
}

/// A value that only a blank ends.
pub(super) fn spaced(view: &View, start: usize) -> Option<Range<usize>> {
    value(view, start, is_blank)
}

/// The lines of a block that begins with `|` or `>`, as YAML has them: those that are set in.
pub(super) fn block(view: &View, start: usize) -> Option<Range<usize>> {
    let sign = view.past(start, |c| {
        matches!(c, '|' | '>' | '+' | '-') || c.is_ascii_digit()
    });
    let line = view.past(sign, |c| c == ' ');
    if !matches!(view.at(start), '|' | '>') || view.at(line) != '\n' {
        return None;
    }
    let begins = view.past(line, is_blank);
    let ends = |at: &usize| view.at(*at) == '\n' && !is_blank(view.at(at + 1));
    let end = (begins..view.len()).find(ends).unwrap_or(view.len());
    (begins < end).then_some(begins..end)
}

/// A value that goes to the end of its line.
pub(super) fn header(view: &View, start: usize) -> Option<Range<usize>> {
    value(view, start, |c| c == '\n')
}

fn is_operator(c: char) -> bool {
    matches!(c, '&' | ';' | '|' | '<' | '>' | '(' | ')')
}

fn value(view: &View, start: usize, ends: impl Fn(char) -> bool) -> Option<Range<usize>> {
    let range = if let Some((inside, close)) = quoted(view, start) {
        let after = close.unwrap_or(view.len());
        if close.is_some() && goes_on(view, after) {
            inside.start..loose(view, after, ends)
        } else {
            inside
        }
    } else if matches!(view.at(start), '[' | '{') {
        start..bracketed(view, start)
    } else {
        start..loose(view, start, ends)
    };
    (range.start < range.end).then_some(range)
}

/// A quoted value's inside, and what follows its closing quote when it has one. Quotes may be escaped: `\"x\"`.
fn quoted(view: &View, start: usize) -> Option<(Range<usize>, Option<usize>)> {
    let quote_at = view.past(start, |c| c == '\\');
    let depth = quote_at - start;
    let quote = view.at(quote_at);
    if !is_quote(quote) {
        return None;
    }
    let inside = quote_at + 1;
    let mut place = inside;
    let mut backslashes = 0;
    while place < view.len() {
        let c = view.at(place);
        if c == quote && backslashes <= depth {
            return Some((inside..place - backslashes, Some(place + 1)));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        place += 1;
    }
    Some((inside..view.len(), None))
}

/// A list or an object, to the bracket that closes it.
fn bracketed(view: &View, start: usize) -> usize {
    let mut place = start;
    let mut depth = 0_usize;
    let mut within = None;
    while place < view.len() {
        let c = view.at(place);
        match (within, c) {
            (_, '\\') => place += 1,
            (Some(quote), _) if quote == c => within = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => within = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => {
                depth -= 1;
                if depth == 0 {
                    return place + 1;
                }
            }
            (None, _) => {}
        }
        place += 1;
    }
    view.len()
}

/// A value without quotes around it; quotes inside it hold it together.
fn loose(view: &View, start: usize, ends: impl Fn(char) -> bool) -> usize {
    let masked = view.past(start, |c| c == '*');
    if masked > start && !goes_on(view, masked) {
        return masked;
    }
    let mut place = start;
    let mut within = None;
    while place < view.len() {
        let c = view.at(place);
        match within {
            Some(quote) if quote == c => within = None,
            Some(_) => {}
            None if ends(c) => return place,
            None if c == '\\' && is_quote(view.at(place + 1)) => {
                if !goes_on(view, place + 2) {
                    return place;
                }
                place += 1;
            }
            None if c == '\\' && view.at(place + 1) != '\n' => place += 1,
            None if is_quote(c) => {
                if !goes_on(view, place + 1) {
                    return place;
                }
                within = Some(c);
            }
            None => {}
        }
        place += 1;
    }
    view.len()
}

/// A quote here would not be the last of the value.
fn goes_on(view: &View, after: usize) -> bool {
    let next = view.at(after);
    next != END && !is_blank(next) && !is_operator(next) && !matches!(next, ',' | ':' | ']' | '}' | '\\')
}
