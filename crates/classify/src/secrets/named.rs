//! Values whose name says that they are secret, in data as in commands: `"password": "x"`, `token: x`, `a=1&api_key=x`; headers
//! to the end of their line; and what stands before the `@` of an address.

use std::ops::Range;

use super::signs::Signs;
use super::table::table;
use super::uses::Uses;

pub(super) fn find(text: &str, signs: Signs, uses: &Uses<'_>, hidden: &mut Vec<Range<usize>>) {
    if signs.may_have(b'=') || signs.may_have(b':') {
        named(text, uses, hidden);
    }
    // The schemes end so.
    if signs.may_have(b' ') && (signs.may_have(b'r') || signs.may_have(b'c') || signs.may_have(b't')) {
        of_headers(text, hidden);
    }
}

fn named(text: &str, uses: &Uses<'_>, hidden: &mut Vec<Range<usize>>) {
    let mut past = 0;
    let mut naming = None;
    for (at, sign) in text.match_indices(['=', ':']) {
        if at < past {
            // It is hidden already.
            continue;
        }
        if sign == ":" && text.get(at..).is_some_and(|rest| rest.starts_with("://")) {
            address(text, at + 3, hidden);
            continue;
        }
        let Some((start, name)) = name_before(text, at) else {
            continue;
        };
        // `"name": "DB_PASSWORD", "value": "x"`
        let is_named = ends_with(name, &["value"])
            && naming
                .take_if(|naming: &mut Range<usize>| at.saturating_sub(naming.end) < FARTHEST)
                .and_then(|naming| text.get(naming))
                .is_some_and(|name| table().sounds_secret(name));
        let is_secret = is_named || table().sounds_secret(name) || is_parameter(text, start, name);
        if !is_secret && ends_with(name, &NAMING) {
            naming = value(text, at + 1, sign == ":", false);
        }
        if is_secret
            && !uses.has(name)
            && let Some(value) = value(text, at + 1, sign == ":", is_told(text, start))
        {
            past = value.end;
            hidden.push(value);
        }
    }
}

/// `Bearer secret`, wherever it stands.
fn of_headers(text: &str, hidden: &mut Vec<Range<usize>>) {
    for (at, _) in text.match_indices(' ') {
        let before = text.get(..at).unwrap_or_default();
        if SCHEMES.iter().any(|scheme| before.ends_with(scheme)) {
            hidden.extend(word(text, at + 1).filter(|word| word.len() > 3));
        }
    }
}

/// Ends of names whose value is a name itself.
const NAMING: [&str; 3] = ["name", "key", "field"];
/// From a name that is a value to its own value, in bytes, at most.
const FARTHEST: usize = 100;

/// Longest name that is read in percents, in bytes.
const LONGEST_NAME: usize = 100;

fn ends_with(name: &str, ends: &[&str]) -> bool {
    let name = name.as_bytes();
    ends.iter().any(|end| {
        let start = name.len().checked_sub(end.len());
        start
            .and_then(|start| name.get(start..))
            .is_some_and(|rest| rest.eq_ignore_ascii_case(end.as_bytes()))
    })
}

/// Whether it is a parameter of an address whose name is secret there, or is when its percents are read.
fn is_parameter(text: &str, start: usize, name: &str) -> bool {
    let before = text.get(..start).unwrap_or_default();
    if before.ends_with(['?', '&']) {
        return table().is_secret_query(name);
    }
    if !before.ends_with('%') {
        return false;
    }
    let near = before.floor_char_boundary(before.len().saturating_sub(LONGEST_NAME));
    let from = before.get(near..).unwrap_or_default();
    let from = from.rfind(['?', '&', ' ', '"', '\'', '/', '=']);
    let from = from.map_or(near, |from| near + from + 1);
    let whole = text.get(from..start + name.len());
    whole.is_some_and(|whole| whole.len() < LONGEST_NAME && table().sounds_secret(&unescaped(whole)))
}

/// A name as whoever gets the address reads it.
fn unescaped(name: &str) -> String {
    let mut parts = name.split('%');
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_at_checked(2)
            .map(|(digits, rest)| (u8::from_str_radix(digits, 16), rest))
        {
            Some((Ok(byte), rest)) => {
                read.push(char::from(byte));
                read.push_str(rest);
            }
            _ => read.push_str(part),
        }
    }
    read
}

/// What stands before the secret of a header.
const SCHEMES: [&str; 4] = ["Bearer", "bearer", "Basic", "Digest"];

/// The name that ends here, without quotes and blanks, and where it begins.
fn name_before(text: &str, at: usize) -> Option<(usize, &str)> {
    let before = text.get(..at)?.trim_end_matches([' ', '"', '\'', '\\', '+', ']']);
    let start = before
        .rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'))
        .map_or(0, |at| at + before.get(at..).map_or(1, first_length));
    let name = before.get(start..)?;
    (!name.is_empty() && name.len() < 100).then_some((start, name))
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}

/// Options whose value is a header.
const HEADER_OPTIONS: [&str; 2] = ["-H", "--header"];

/// Whether the name that begins here begins the value of an option for headers: `-H 'Cookie: a; b'`. Nothing in there is code.
fn is_told(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let Some(before) = before.strip_suffix(['"', '\'']) else {
        return false;
    };
    let option = before.trim_end_matches([' ', '=']);
    let word = option.rsplit([' ', '\t', '\n']).next().unwrap_or_default();
    HEADER_OPTIONS.contains(&word)
}

/// The value that begins here: in quotes to their end, else one word; of a header, with blanks, to the end of the quotes or of
/// the line. What may part commands ends it, unless the header is told to a program: code is never hidden.
fn value(text: &str, at: usize, is_header: bool, is_told: bool) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let skipped = rest.len() - rest.trim_start_matches([' ', '\\']).len();
    if skipped > 0 && !is_header {
        // `a = b` is no assignment of a shell, and one of many files.
        return word(text, at + skipped).or_else(|| quoted(text, at + skipped));
    }
    let start = at + skipped;
    if let Some(range) = quoted(text, start) {
        return Some(range);
    }
    let is_spaced = is_header && skipped > 0;
    let ends = move |c: char| match c {
        '"' | '\'' | '\n' | '`' => true,
        _ if is_spaced => !is_told && matches!(c, ';' | '&' | '|' | '(' | ')' | '<' | '>'),
        _ => is_end(c),
    };
    range(text, start, ends)
}

fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let quote = text
        .get(at..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))?;
    range(text, at + 1, move |c| c == quote)
}

fn word(text: &str, at: usize) -> Option<Range<usize>> {
    range(text, at, is_end)
}

fn is_end(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '`' | ',' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | '}' | ']'
        )
}

/// Up to where it ends, and in no case over what a shell would put something else for.
fn range(text: &str, start: usize, ends: impl Fn(char) -> bool) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let length = rest.find(&ends).unwrap_or(rest.len());
    let rest = rest.get(..length)?;
    let code = ["$(", "${", "`"].iter().filter_map(|sign| rest.find(sign)).min();
    let variable = rest.starts_with('$').then_some(0);
    let length = variable.or(code).unwrap_or(length);
    (length > 0).then(|| start..start + length)
}

/// `ann:hunter2@` of an address, or one long word before the `@`.
fn address(text: &str, start: usize, hidden: &mut Vec<Range<usize>>) {
    let Some(rest) = text.get(start..) else {
        return;
    };
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | '|' | ';')
    };
    let authority = rest
        .get(..rest.find(ends).unwrap_or(rest.len()))
        .unwrap_or_default();
    let Some(user) = authority.rfind('@') else {
        return;
    };
    let info = authority.get(..user).unwrap_or_default();
    if info.contains(':') || info.len() > 15 {
        hidden.extend(
            range(text, start, |c| c == '@')
                .map(|range| range.start..range.end.max(start + user).min(start + user)),
        );
    }
}
