//! Values whose name says that they are secret: `password=x`, `"token": "x"`, `--api-key x`, `Cookie: x`.

use std::ops::Range;

use super::value;
use super::view::{View, is_blank, is_quote};

/// Parts of a name, in lower case and without separators, that make any name secret.
const PARTS: [&str; 49] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "passkey",
    "pgpass",
    "userpwd",
    "secret",
    "token",
    "credential",
    "authorization",
    "authentication",
    "cookie",
    "signature",
    "apikey",
    "accesskey",
    "accountkey",
    "authkey",
    "appkey",
    "clientkey",
    "consumerkey",
    "deploykey",
    "encryptionkey",
    "decryptionkey",
    "hmackey",
    "licensekey",
    "masterkey",
    "privatekey",
    "privkey",
    "servicekey",
    "sessionkey",
    "sharedkey",
    "signingkey",
    "sshkey",
    "storagekey",
    "subscriptionkey",
    "symmetrickey",
    "sshpass",
    "webhook",
    "sessionid",
    "sessid",
    "csrf",
    "mnemonic",
    "connectionstring",
    "storepass",
    "keypass",
    "userpass",
];
/// Last words of a name that make it secret.
const LAST: [&str; 20] = [
    "pass",
    "pwd",
    "pw",
    "pin",
    "auth",
    "sig",
    "jwt",
    "otp",
    "totp",
    "mfa",
    "sid",
    "cred",
    "creds",
    "psk",
    "pat",
    "passin",
    "passout",
    "bearer",
    "securestring",
    "dsn",
];
/// Names that are followed by their value without any sign between.
const BARE: [&str; 6] = [
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "kennwort",
    "convertto-securestring",
];
/// Names whose value goes to the end of its line.
const HEADERS: [&str; 2] = ["authorization", "cookie"];
/// Words that may stand between such a name and its value.
const BETWEEN: [&str; 5] = ["is", "was", "to", "as", "are"];

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    let mut place = 0;
    while place < view.len() {
        if !is_name(view.at(place)) {
            place += 1;
            continue;
        }
        let start = place;
        place = view.past(place, is_name);
        // Most words are no names of anything: look for the value first, it is cheaper.
        let Some(value) = value_of(view, start..place) else {
            continue;
        };
        place = last_name(view, &value);
        found.push(value);
    }
}

/// Where to go on after a value: it may end in a name whose own value comes next, as in `--token password: x`.
fn last_name(view: &View, value: &Range<usize>) -> usize {
    let mut end = value.end;
    while end > value.start && !is_name(view.before(end)) {
        end -= 1;
    }
    let mut start = end;
    while start > value.start && is_name(view.before(start)) {
        start -= 1;
    }
    start
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn sounds_secret(name: &str) -> bool {
    let folded: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let folded = folded.to_lowercase();
    PARTS.iter().any(|part| folded.contains(part))
        || last_word(name).is_some_and(|last| LAST.contains(&last.as_str()))
}

/// The last word of `db_pass`, `dbPass` or `DB-PASS`, in lower case.
fn last_word(name: &str) -> Option<String> {
    let last = name.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let mut word: Vec<char> = Vec::new();
    for c in last.chars().rev() {
        let hump = word.last().is_some_and(|after| after.is_lowercase()) && c.is_uppercase();
        let edge = word.last().is_some_and(|after| after.is_uppercase()) && c.is_lowercase();
        if edge {
            break;
        }
        word.push(c);
        if hump {
            break;
        }
    }
    let word: String = word.into_iter().rev().collect();
    Some(word.to_lowercase())
}

fn value_of(view: &View, name: Range<usize>) -> Option<Range<usize>> {
    let end = name.end;
    let closed = past_closers(view, end);
    let sign = view.past(closed, is_blank);
    let text = || view.part(name.clone()).iter().collect::<String>();
    if let Some(after) = past_sign(view, sign) {
        let name = text();
        if !sounds_secret(&name) {
            return None;
        }
        let value = view.past(after, is_blank);
        let spaced = view.at(sign) == ':' && value > after;
        return if HEADERS.iter().any(|header| ends_with(&name, header)) {
            value::header(view, value)
        } else if spaced {
            value::spaced(view, value)
        } else {
            value::word(view, value)
        };
    }
    if sign == end || closed != end {
        return None;
    }
    if view.at(name.start) == '-' && !is_option(view, sign) && sounds_secret(&text()) {
        return value::word(view, sign);
    }
    if !BARE
        .iter()
        .any(|bare| bare.len() == name.len() && view.goes_on(name.start, bare))
    {
        return None;
    }
    let between = BETWEEN
        .iter()
        .find(|word| view.goes_on(sign, word) && is_blank(view.at(sign + word.len())));
    let value = sign + between.map_or(0, |word| word.len());
    value::word(view, view.past(value, is_blank))
}

/// What may close a name before its sign: `"name":`, `user[name]=`, `\"name\":`, `%22name%22%3A`.
fn past_closers(view: &View, place: usize) -> usize {
    let mut place = place;
    for _ in 0..6 {
        if is_quote(view.at(place)) || matches!(view.at(place), '\\' | ']' | ')' | '}') {
            place += 1;
        } else if view.goes_on(place, "%22") || view.goes_on(place, "%27") || view.goes_on(place, "%5D") {
            place += 3;
        }
    }
    place
}

/// `=`, `:`, `=>`, `:=`, `==`, and `=` or `:` as a URL spells them.
fn past_sign(view: &View, place: usize) -> Option<usize> {
    for spelt in ["%253D", "%253A", "%3D", "%3A"] {
        if view.goes_on(place, spelt) {
            return Some(place + spelt.len());
        }
    }
    let first = if matches!(view.at(place), '+' | '?') {
        place + 1
    } else {
        place
    };
    match (view.at(first), view.at(first + 1)) {
        ('=', '=' | '>') | (':', '=') => Some(first + 2),
        ('=' | ':', _) => Some(first + 1),
        _ => None,
    }
}

/// The next word is an option of its own: `--password --force`.
fn is_option(view: &View, place: usize) -> bool {
    let name = view.past(place, |c| c == '-');
    let end = view.past(name, |c| c.is_ascii_lowercase() || c == '-');
    matches!(name - place, 1 | 2) && end > name && (view.at(end) == '\0' || is_blank(view.at(end)))
}

fn ends_with(name: &str, word: &str) -> bool {
    let start = name.len().checked_sub(word.len());
    start
        .and_then(|start| name.get(start..))
        .is_some_and(|end| end.eq_ignore_ascii_case(word))
}
