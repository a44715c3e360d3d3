//! Secrets that addresses hold in other places than before an `@`: hooks, keys of bots, and what an address holds of another one,
//! spelt in percents.

use std::ops::Range;

use super::signs::Signs;
use super::table::table;

/// Whoever has the address of one of these may write there: the host, and the path on it.
const HOOKS: [(&str, &str); 4] = [
    ("hooks.slack.com", "/services/"),
    ("hooks.slack.com", "/workflows/"),
    ("discord.com", "/api/webhooks/"),
    ("discordapp.com", "/api/webhooks/"),
];
/// `=` and `:` as an address spells them in another one.
const SIGNS: [&str; 6] = ["%3D", "%3d", "%3A", "%3a", "%253D", "%253A"];

/// Letters of a name and its password in an address within an address that are looked at.
const LONGEST_USER: usize = 1000;

pub(super) fn find(text: &str, signs: Signs, hidden: &mut Vec<Range<usize>>) {
    if signs.may_have(b'%') {
        spelt(text, hidden);
    }
    if signs.may_have(b'/') && signs.may_have(b'.') {
        hooks(text, hidden);
    }
    if signs.may_have(b':') {
        for (at, _) in text.match_indices(':') {
            bot(text, at, hidden);
        }
    }
}

fn hooks(text: &str, hidden: &mut Vec<Range<usize>>) {
    let mut past = 0;
    for (at, _) in text.match_indices('/') {
        let (before, path) = text.split_at_checked(at).unwrap_or_default();
        if at < past || !before.ends_with(".com") {
            continue;
        }
        let hook = HOOKS
            .iter()
            .find(|(host, start)| before.ends_with(host) && path.starts_with(start));
        if let Some((_, start)) = hook {
            hide(text, at + start.len(), &mut past, hidden);
        }
    }
}

/// `name:secret@host`, `scheme:/name:secret@host` and `scheme:\\name:secret@host`: what a program makes of an address that it
/// takes for a path, or the other way round.
pub(super) fn find_written_as_paths(text: &str, hidden: &mut Vec<Range<usize>>) {
    let (mut start, mut colon) = (0, None);
    for (at, c) in text.char_indices() {
        match c {
            ':' => colon = colon.or(Some(at)).filter(|_| at > start),
            '@' if colon.is_some_and(|colon| colon + 1 < at) => {
                let host = text.get(at + 1..).unwrap_or_default();
                // An image is named by its digest so.
                let is_digest = host.starts_with("sha256:");
                let is_host = host.starts_with(|c: char| c.is_ascii_alphabetic() || c == '[');
                if is_host && !is_digest || text.get(..start).is_some_and(after_scheme) {
                    hidden.push(start..at);
                }
            }
            c if ends(c) || matches!(c, '/' | '\\') => (start, colon) = (at + c.len_utf8(), None),
            _ => {}
        }
    }
}

/// Whether the text ends in `https:/`, with slashes of either kind.
fn after_scheme(text: &str) -> bool {
    let scheme = text.trim_end_matches(['/', '\\']);
    scheme.len() < text.len() && scheme.ends_with(':')
}

/// What stands in percents: `%3Fapi_key%3Dsecret`, `https%3A%2F%2Fname%3Asecret%40host`.
fn spelt(text: &str, hidden: &mut Vec<Range<usize>>) {
    for sign in SIGNS {
        let mut past = 0;
        for (at, _) in text.match_indices(sign) {
            if at < past {
                continue;
            }
            let before = text.get(..at).unwrap_or_default();
            let before = before.strip_suffix("%22").unwrap_or(before);
            let from = before.rfind(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'));
            let name = before.get(from.map_or(0, |from| from + 1)..).unwrap_or_default();
            // A name behind `%3F` begins with the digits of that.
            let bare = name.get(2..).unwrap_or_default();
            if table().sounds_secret(name) || table().sounds_secret(bare) {
                hide(text, at + sign.len(), &mut past, hidden);
            }
        }
    }
    for slashes in ["%3A%2F%2F", "%3a%2f%2f"] {
        for (at, _) in text.match_indices(slashes) {
            let start = at + slashes.len();
            let rest = text.get(start..).unwrap_or_default();
            let end = rest
                .char_indices()
                .nth(LONGEST_USER)
                .map_or(rest.len(), |(end, _)| end);
            let rest = rest.get(..end).unwrap_or_default();
            let word = rest
                .get(..rest.find(ends).unwrap_or(rest.len()))
                .unwrap_or_default();
            if let Some(end) = word.find("%40").or_else(|| word.find('@'))
                && word
                    .get(..end)
                    .is_some_and(|user| user.contains("%3A") || user.contains("%3a") || user.contains(':'))
            {
                hidden.push(start..start + end);
            }
        }
    }
}

/// `110201543:AAHdqTcv...`, as bots of Telegram are told.
fn bot(text: &str, colon: usize, hidden: &mut Vec<Range<usize>>) {
    let before = text.get(..colon).unwrap_or_default();
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let after = text.get(colon + 1..).unwrap_or_default();
    let length = after.find(|c| !is_key(c)).unwrap_or(after.len());
    if (8..=12).contains(&digits) && (30..=50).contains(&length) {
        hidden.push(colon + 1..colon + 1 + length);
    }
}

fn ends(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '&' | '|' | ';' | '<' | '>' | '(' | ')')
}

/// Hides what begins here, and says where it ends.
fn hide(text: &str, start: usize, past: &mut usize, hidden: &mut Vec<Range<usize>>) {
    if let Some(range) = up_to(text, start) {
        *past = range.end;
        hidden.push(range);
    }
}

/// To where it ends, and in no case over what a shell would put something else for.
fn up_to(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let length = rest.find(|c| ends(c) || c == '$').unwrap_or(rest.len());
    (length > 0).then(|| start..start + length)
}
