//! Values whose name says that they are secret: `password=x`, `"token": "x"`, `--api-key x`, `Cookie: x`.

use std::ops::Range;

use super::value;
use super::view::{View, is_blank, is_quote};

/// Parts of a name, in lower case and without separators, that make any name secret.
const PARTS: [&str; 72] = [
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
    "contraseña",
    "contrasena",
    "motdepasse",
    "senha",
    "wachtwoord",
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
    "hasło",
    "haslo",
    "passord",
    "lösenord",
    "losenord",
    "salasana",
    "şifre",
    "sifre",
    "heslo",
    "jelszó",
    "jelszo",
    "zaporka",
    "adgangskode",
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
/// Words behind the last one that say which of several it is.
const WHICH: [&str; 13] = [
    "prod",
    "production",
    "staging",
    "stage",
    "dev",
    "test",
    "qa",
    "live",
    "old",
    "new",
    "local",
    "backup",
    "ci",
];
/// Parameters of an address that are secret there, and mean something else everywhere else.
const QUERY: [&str; 4] = ["key", "code", "ticket", "sas"];
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
    let mut naming = None;
    while place < view.len() {
        if !is_name(view.at(place)) {
            place += 1;
            continue;
        }
        let start = place;
        place = view.past(place, is_name);
        // Most words are no names of anything: look for the value first, it is cheaper.
        let found_here = value_of(view, start..place).or_else(|| paired(view, start..place, &mut naming));
        let Some(value) = found_here else {
            continue;
        };
        place = last_name(view, &value);
        found.push(value);
    }
}

/// Ends of names whose value is a name itself: `"name": "DB_PASSWORD", "value": "x"`.
const NAMING: [&str; 3] = ["name", "key", "field"];
/// From a name that is a value to its own value, in characters, at most.
const FARTHEST: usize = 100;

/// The value of a name that is a value itself, and stood before.
fn paired(view: &View, name: Range<usize>, naming: &mut Option<Range<usize>>) -> Option<Range<usize>> {
    let text: String = view.part(name.clone()).iter().collect();
    let is_value = ends_with(&text, "value");
    if !is_value && !NAMING.iter().any(|end| ends_with(&text, end)) {
        return None;
    }
    let sign = view.past(past_closers(view, name.end), is_blank);
    let start = view.past(past_sign(view, sign)?, is_blank);
    let value = value::word(view, start)?;
    if !is_value {
        *naming = Some(value);
        return None;
    }
    let named = naming
        .take()
        .filter(|naming| name.start.saturating_sub(naming.end) < FARTHEST)?;
    let named: String = view.part(named).iter().collect();
    sounds_secret(&named).then_some(value)
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

pub(super) fn sounds_secret(name: &str) -> bool {
    let folded: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let folded = folded.to_lowercase();
    PARTS.iter().any(|part| folded.contains(part))
        || last_word(which_of(name)).is_some_and(|last| LAST.contains(&last.as_str()))
}

/// A name without what says which of several it is: `DB_PASS_STAGING`, `DB_PASS2`.
fn which_of(name: &str) -> &str {
    let numbered = |name: &'_ str| {
        name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-'))
            .len()
    };
    let bare = name.get(..numbered(name)).unwrap_or(name);
    let Some((before, last)) = bare.rsplit_once(['_', '-', '.']) else {
        return bare;
    };
    match WHICH.contains(&last.to_lowercase().as_str()) {
        true => before.get(..numbered(before)).unwrap_or(before),
        false => bare,
    }
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
        let start = name.start;
        let name = text();
        if !sounds_secret(&name) && !is_parameter(view, start, &name) {
            return None;
        }
        let value = view.past(after, is_blank);
        let spaced = view.at(sign) == ':' && value > after;
        return if HEADERS.iter().any(|header| ends_with(&name, header)) {
            value::header(view, value)
        } else if spaced {
            value::block(view, value).or_else(|| value::spaced(view, value))
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

/// Whether it is a parameter of an address whose name is secret there, or is when its percents are read.
fn is_parameter(view: &View, start: usize, name: &str) -> bool {
    match view.before(start) {
        '?' | '&' => QUERY.iter().any(|known| known.eq_ignore_ascii_case(name)),
        '%' => {
            let mut from = start;
            while from > 0 && (is_name(view.before(from)) || view.before(from) == '%') {
                from -= 1;
            }
            let before: String = view.part(from..start).iter().collect();
            sounds_secret(&unescaped(&format!("{before}{name}")))
        }
        _ => false,
    }
}

/// A name as whoever gets the address reads it.
fn unescaped(name: &str) -> String {
    let mut parts = name.split('%');
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.split_at_checked(2);
        match digits.map(|(digits, rest)| (u8::from_str_radix(digits, 16), rest)) {
            Some((Ok(byte), rest)) => {
                read.push(char::from(byte));
                read.push_str(rest);
            }
            _ => read.push_str(part),
        }
    }
    read
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
