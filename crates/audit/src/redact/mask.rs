use std::ops::Range;

use super::glance::Glance;
use super::unit::{Unit, units};
use super::view::{ESCAPE, View};
use super::{Redacted, named, quoted, random, schemes, shapes, tools, urls};

/// What becomes of words that look random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Random {
    Mask,
    Keep,
}

/// What stands for a secret.
const MASK: &str = "***";
/// What stands for text that was cut out.
const CUT: &str = "…";
/// Bytes of a text that are looked at; what lies beyond is cut.
const SCANNED: usize = 16 * 1024;
/// Bytes kept of the beginning and the end of a text that is too long.
const HEAD: usize = 340;
const TAIL: usize = 160;
/// Masking can make new neighbours; it is repeated until nothing changes, and everything is masked if that does
/// not come soon.
const ROUNDS: usize = 8;

/// Masks, escapes and bounds until a further round would change nothing.
pub(super) fn settle(raw: &[u8], random: Random) -> String {
    let (raw, whole) = match raw.split_at_checked(SCANNED) {
        Some((start, rest)) if !rest.is_empty() => (start, false),
        _ => (raw, true),
    };
    if whole
        && raw.len() <= Redacted::LONGEST
        && let Some(glance) = Glance::at(raw)
        && is_harmless(raw, glance, random)
        && let Ok(text) = std::str::from_utf8(raw)
    {
        return text.to_owned();
    }
    slowly(raw, random, whole)
}

/// Whether nothing in a plain text is to be masked.
fn is_harmless(raw: &[u8], glance: Glance, random: Random) -> bool {
    let mut glance = glance;
    glance.random &= random == Random::Mask;
    if glance == Glance::NOTHING {
        return true;
    }
    let mut found = Vec::new();
    look(&View::plain(raw), glance, &mut found);
    found.is_empty()
}

fn slowly(raw: &[u8], random: Random, whole: bool) -> String {
    let mut read = units(raw);
    if !whole {
        drop_last_word(&mut read);
    }
    let mut text = once(&read, random, whole);
    if text.as_bytes() == raw {
        return text;
    }
    for _ in 0..ROUNDS {
        let next = once(&units(text.as_bytes()), random, true);
        if next == text {
            return text;
        }
        text = next;
    }
    MASK.to_owned()
}

/// The last word of a cut text may be half a secret, which no shape fits any more.
fn drop_last_word(units: &mut Vec<Unit>) {
    while let Some(last) = units.pop() {
        match last {
            Unit::Seen(' ') => return,
            Unit::Unseen(unseen) if unseen.is_whitespace() => return,
            _ => {}
        }
    }
}

fn once(units: &[Unit], random: Random, whole: bool) -> String {
    let mut hidden = hidden(&View::new(units, false), random);
    if units.contains(&Unit::Unseen(ESCAPE)) {
        hidden.extend(self::hidden(&View::new(units, true), random));
    }
    hidden.sort_by_key(|range| range.start);
    bound(&Shown::new(units, &hidden), whole)
}

/// The units that secrets stand in, in no order.
fn hidden(view: &View, random: Random) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let all = Glance {
        shapes: true,
        urls: true,
        named: true,
        quoted: true,
        schemes: true,
        tools: true,
        random: random == Random::Mask,
    };
    look(view, all, &mut found);
    found.iter().filter_map(|range| view.units_of(range)).collect()
}

/// Asks the finders that could find something.
fn look(view: &View, glance: Glance, found: &mut Vec<Range<usize>>) {
    type Find = fn(&View, &mut Vec<Range<usize>>);
    let finders: [(bool, Find); 7] = [
        (glance.shapes, shapes::find),
        (glance.urls, urls::find),
        (glance.named, named::find),
        (glance.quoted, quoted::find),
        (glance.schemes, schemes::find),
        (glance.tools, tools::find),
        (glance.random, random::find),
    ];
    for (could, find) in finders {
        if could {
            find(view, found);
        }
    }
}

/// The masked text and the places where it may be cut.
struct Shown {
    text: String,
    joints: Vec<usize>,
}

impl Shown {
    fn new(units: &[Unit], hidden: &[Range<usize>]) -> Self {
        let mut shown = Self {
            text: String::with_capacity(units.len()),
            joints: Vec::with_capacity(units.len()),
        };
        let mut hidden = hidden.iter().peekable();
        let mut masked_to = 0;
        for (at, unit) in units.iter().enumerate() {
            let mut begins = false;
            while let Some(range) = hidden.next_if(|range| range.start <= at) {
                begins |= at >= masked_to;
                masked_to = masked_to.max(range.end);
            }
            if at >= masked_to {
                shown.joints.push(shown.text.len());
                unit.write(&mut shown.text);
            } else if begins {
                shown.joints.push(shown.text.len());
                shown.text.push_str(MASK);
            }
        }
        shown
    }
}

fn bound(shown: &Shown, whole: bool) -> String {
    let text = shown.text.as_str();
    if !whole {
        let end = joint_before(shown, HEAD + TAIL);
        return format!("{}{CUT}", text.get(..end).unwrap_or_default());
    }
    if text.len() <= Redacted::LONGEST {
        return text.to_owned();
    }
    let head = text.get(..joint_before(shown, HEAD)).unwrap_or_default();
    let tail = shown.joints.iter().find(|joint| **joint >= text.len() - TAIL);
    let tail = tail.and_then(|joint| text.get(*joint..)).unwrap_or_default();
    format!("{head}{CUT}{tail}")
}

fn joint_before(shown: &Shown, most: usize) -> usize {
    if shown.text.len() <= most {
        return shown.text.len();
    }
    let below = shown.joints.iter().take_while(|joint| **joint <= most);
    below.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces that some finder looks for, in any order.
    fn pieces() -> impl Strategy<Value = String> {
        let words = vec![
            "password",
            "=",
            ":",
            " ",
            "-",
            "--token",
            "-p",
            "sshpass",
            "curl",
            "-u",
            "a:b@c",
            "Bearer ",
            "Basic ",
            "sk-",
            "ghp_",
            "AKIA",
            "eyJ",
            "1//0",
            "hooks.slack.com/services/",
            "/",
            ".",
            "%3D",
            "%40",
            "%3A%2F%2F",
            "://",
            "@",
            "-----BEGIN RSA PRIVATE KEY-----",
            "is",
            "hunter2",
            "Passphrase",
            "kennwort ",
            "src/lib.rs",
            "9f86d081884c7d659a2feaa0c55ad015",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
            "sha256:",
            "toolu_",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "read",
            "Convertto-SecureString",
        ];
        let piece = prop_oneof![
            4 => prop::sample::select(words).prop_map(str::to_owned),
            2 => "[a-zA-Z0-9]{1,30}",
            1 => "[ -~]{1,4}",
            1 => any::<char>().prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        /// A glance saves work and changes nothing.
        #[test]
        fn a_glance_misses_nothing(text in pieces()) {
            for random in [Random::Mask, Random::Keep] {
                prop_assert_eq!(settle(text.as_bytes(), random), slowly(text.as_bytes(), random, true));
            }
        }
    }
}
