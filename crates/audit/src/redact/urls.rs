//! Credentials in addresses: `https://user:password@host`, `user:password@host`.

use std::ops::Range;

use super::view::{View, is_blank, is_quote};

/// A user name without a password that is at least this long is taken for a token.
const LONG_USER: usize = 16;

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    let mut place = 0;
    while place < view.len() {
        if is_blank(view.at(place)) || is_quote(view.at(place)) {
            place += 1;
            continue;
        }
        let end = view.past(place, |c| !is_blank(c) && !is_quote(c));
        in_word(view, place..end, found);
        place = end;
    }
}

/// One word without blanks and quotes; it may hold several addresses.
fn in_word(view: &View, word: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut place = word.start;
    let mut any = false;
    while place < word.end {
        let encoded = view.goes_on(place, "%3A%2F%2F");
        if !encoded && !view.goes_on(place, "://") {
            place += 1;
            continue;
        }
        any = true;
        let start = place + if encoded { 9 } else { 3 };
        place = start;
        if let Some(end) = user_end(view, start, word.end) {
            let colon = (start..end).any(|at| view.at(at) == ':' || view.goes_on(at, "%3A"));
            if colon || end - start >= LONG_USER {
                found.push(start..end);
            }
            place = end;
        }
    }
    if !any {
        let mut start = word.start;
        while start < word.end {
            without_scheme(view, start, found);
            start = view.past(start, |c| c != '/') + 1;
        }
    }
}

/// The place of the `@` that ends the user part, if there is one.
fn user_end(view: &View, start: usize, end: usize) -> Option<usize> {
    let mut user = None;
    // A colon with more than a port after it means that what follows is a password, slashes and all.
    let mut password = false;
    let mut place = start;
    while place < end {
        let c = view.at(place);
        let at_sign = c == '@' || view.goes_on(place, "%40");
        if at_sign && (user.is_none() || !matches!(view.before(place), '/' | '=')) {
            user = Some(place);
        } else if ends_address(c, user.is_some(), password) {
            break;
        } else if c == ':' && user.is_none() {
            let port = view.past(place + 1, |c| c.is_ascii_digit());
            password = port < end && !matches!(view.at(port), '/' | '?' | '#');
        }
        place += 1;
    }
    user
}

fn ends_address(c: char, has_user: bool, has_password: bool) -> bool {
    match c {
        '&' | ';' | '|' | '<' | '>' => has_user,
        '?' => has_user || !has_password,
        '/' | '#' => !has_password,
        _ => false,
    }
}

/// `user:password@host`, but not `image:tag@sha256:...` and not `scheme:package@1.2`; in a path any name of it may be one, and
/// behind `https:/` the user may be the secret.
fn without_scheme(view: &View, start: usize, found: &mut Vec<Range<usize>>) {
    let is_user = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    let colon = view.past(start, is_user);
    if colon == start || view.at(colon) != ':' {
        return;
    }
    let at_sign = view.past(colon + 1, |c| {
        !matches!(c, '@' | '/') && !is_blank(c) && !is_quote(c)
    });
    let host = view.at(at_sign + 1);
    let version = host.is_ascii_digit() || view.goes_on(at_sign + 1, "sha256:");
    if view.at(at_sign) == '@' && at_sign > colon + 1 && host.is_ascii_alphanumeric() && !version {
        let scheme = view.before(start) == '/' && view.before(start.saturating_sub(1)) == ':';
        found.push(if scheme { start } else { colon + 1 }..at_sign);
    }
}
