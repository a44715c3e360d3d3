//! Long words that look random. The last resort: names and shapes were looked at before.

use std::ops::Range;

use super::view::View;

/// Shortest word of each mixture that is judged at all.
const HEXADECIMAL: usize = 32;
const TWO_KINDS: usize = 24;
const THREE_KINDS: usize = 20;
/// Shortest word that is judged at all.
pub(super) const SHORTEST: usize = THREE_KINDS;
const WITH_SIGNS: usize = 32;

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    let mut place = 0;
    while place < view.len() {
        let start = view.past(place, |c| !is_base64(c));
        let end = view.past(start, is_base64);
        place = end.max(place + 1);
        if end - start < THREE_KINDS || is_uuid(view, start..end) || is_labelled(view, start) {
            continue;
        }
        if !matches!(view.before(start), '.' | '~') && is_random(view.part(start..end), true) {
            found.push(start..end);
        } else {
            in_parts(view, start..end, found);
        }
    }
}

/// The parts of a path or of a dashed name, each on its own.
fn in_parts(view: &View, run: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut place = run.start;
    while place < run.end {
        let start = view.past(place, |c| !c.is_ascii_alphanumeric());
        let end = view.past(start, |c| c.is_ascii_alphanumeric());
        place = end.max(place + 1);
        if is_random(view.part(start..end), false) && !is_labelled(view, start) {
            found.push(start..end);
        }
    }
}

fn is_base64(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '_' | '-')
}

/// Random text changes between small letters, capitals and digits far more often than names do.
fn is_random(word: &[char], with_signs: bool) -> bool {
    let (mut length, mut changes, mut before) = (0_usize, 0_usize, None);
    let [mut small, mut capital, mut digit] = [false; 3];
    for kind in word.iter().filter_map(|c| kind(*c)) {
        small |= kind == Kind::Small;
        capital |= kind == Kind::Capital;
        digit |= kind == Kind::Digit;
        length += 1;
        changes += usize::from(before.is_some_and(|before| before != kind));
        before = Some(kind);
    }
    if !digit {
        return false;
    }
    let often = |percent: usize| changes * 100 >= length * percent;
    if with_signs {
        // Some keys of 40 characters are published with words in them.
        let key = word.len() == 40 && !word.contains(&'-') && !word.contains(&'_');
        return small && capital && digit && word.len() >= WITH_SIGNS && often(if key { 30 } else { 42 });
    }
    let hexadecimal = word.iter().all(char::is_ascii_hexdigit) && digit && (small || capital);
    hexadecimal && word.len() >= HEXADECIMAL
        || small && capital && digit && word.len() >= THREE_KINDS && often(42)
        || digit && (small != capital) && word.len() >= TWO_KINDS && often(25)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Small,
    Capital,
    Digit,
}

fn kind(c: char) -> Option<Kind> {
    match c {
        'a'..='z' => Some(Kind::Small),
        'A'..='Z' => Some(Kind::Capital),
        '0'..='9' => Some(Kind::Digit),
        _ => None,
    }
}

/// Ids that are no secret: `8-4-4-4-12` hexadecimal digits.
fn is_uuid(view: &View, run: Range<usize>) -> bool {
    let dashes = [8, 13, 18, 23];
    run.len() == 36
        && view.part(run).iter().enumerate().all(|(at, c)| {
            if dashes.contains(&at) {
                *c == '-'
            } else {
                c.is_ascii_hexdigit()
            }
        })
}

/// What stands before a digest and says that it is one.
const DIGESTS: [&str; 12] = [
    "sha1:",
    "sha256:",
    "sha512:",
    "sha256/",
    "sha512/",
    "sha512-",
    "sha256-",
    "commit ",
    "commit/",
    "commits/",
    "nix/store/",
    "blake3:",
];

/// Names that say what they are: a digest, an object of Git, a call's id.
fn is_labelled(view: &View, start: usize) -> bool {
    let after = |label: &str| {
        start
            .checked_sub(label.len())
            .is_some_and(|before| view.goes_on(before, label))
    };
    // `objects/9f/86d08...`
    let object = start.checked_sub("objects/9f/".len()).is_some_and(|before| {
        let folder = view.part(start - 3..start - 1);
        view.goes_on(before, "objects/") && folder.iter().all(char::is_ascii_hexdigit)
    });
    object
        || DIGESTS.iter().any(|label| after(label))
        || ["toolu_", "call_"].iter().any(|id| view.goes_on(start, id))
}
