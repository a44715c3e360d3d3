//! What stands between marks of another language: `<password>x</password>`, `IDENTIFIED BY 'x'`, `PASSWORD 'x'`,
//! `login ann password x`. Only one plain word is hidden so, in which no shell sees anything to run.

use std::ops::Range;

use super::table::table;

/// Longest tag that is looked at, in bytes.
const LONGEST_TAG: usize = 300;
/// Longest value of an element, in bytes.
const LONGEST_VALUE: usize = 1000;
/// From `IDENTIFIED` to its `BY`, in bytes, at most.
const FARTHEST: usize = 60;

pub(super) fn find(text: &str, hidden: &mut Vec<Range<usize>>) {
    for (at, _) in text.match_indices("</") {
        hidden.extend(element(text, at));
    }
    for quote in [" '", " \""] {
        for (at, _) in text.match_indices(quote) {
            let before = text.get(..at).unwrap_or_default();
            if is_said(before) {
                let rest = text.get(at + quote.len()..).unwrap_or_default();
                let end = quote.chars().last().and_then(|quote| rest.find(quote));
                hidden.extend(plain(text, at + quote.len(), end));
            }
        }
    }
    for word in [" password ", " passwd "] {
        for (at, _) in text.match_indices(word) {
            if is_of_a_login(text.get(..at).unwrap_or_default()) {
                let start = at + word.len();
                let rest = text.get(start..).unwrap_or_default();
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`'));
                hidden.extend(plain(text, start, Some(end.unwrap_or(rest.len()))));
            }
        }
    }
}

/// What an element holds that ends here, when it or its name attribute sounds secret.
fn element(text: &str, close: usize) -> Option<Range<usize>> {
    let before = text.get(..close)?;
    let near = before.floor_char_boundary(before.len().saturating_sub(LONGEST_VALUE));
    let start = near + before.get(near..)?.rfind('>')? + 1;
    let from = before.floor_char_boundary(start.saturating_sub(LONGEST_TAG));
    let tag = before.get(from..start - 1)?;
    let tag = tag.get(tag.rfind('<')? + 1..)?;
    let (element, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let closes = text.get(close + 2..)?.strip_prefix(element)?.trim_start();
    if element.is_empty() || !closes.starts_with('>') {
        return None;
    }
    let named = ["name=\"", "key=\"", "id=\"", "name='", "key='"]
        .iter()
        .find_map(|name| attributes.split_once(name))
        .and_then(|(_, rest)| rest.split(['"', '\'']).next());
    let is_secret = table().sounds_secret(element) || named.is_some_and(|name| table().sounds_secret(name));
    is_secret.then(|| plain(text, start, Some(close - start)))?
}

/// Whether the words before a text in quotes say that it is a password.
fn is_said(before: &str) -> bool {
    let last = before
        .rsplit(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    if last.eq_ignore_ascii_case("password") {
        // An option has its value so, and is looked at elsewhere.
        return !before.ends_with(|c: char| !c.is_ascii_alphanumeric());
    }
    if last.eq_ignore_ascii_case("securestring") {
        return true;
    }
    let from = before.floor_char_boundary(before.len().saturating_sub(FARTHEST));
    last.eq_ignore_ascii_case("by")
        && before
            .get(from..)
            .is_some_and(|near| near.to_ascii_lowercase().contains("identified"))
}

/// `login ann`, as a file for logging in has it before `password`.
fn is_of_a_login(before: &str) -> bool {
    let mut words = before.rsplit(' ');
    words.next().is_some_and(|user| !user.is_empty()) && words.next().is_some_and(is_login)
}

/// The word may end a path that has blanks in it.
fn is_login(word: &str) -> bool {
    word.rsplit(['/', '"', '\'', '`', '\n']).next() == Some("login")
}

/// One word without a sign that a shell would make something of.
fn plain(text: &str, start: usize, length: Option<usize>) -> Option<Range<usize>> {
    let word = text.get(start..start + length?)?;
    let acts =
        |c: char| c.is_whitespace() || matches!(c, '$' | '`' | ';' | '&' | '|' | '(' | ')' | '<' | '>');
    (!word.is_empty() && !word.contains(acts)).then(|| start..start + word.len())
}
