use std::ops::Range;

use super::unit::{Unit, units};
use super::view::{ESCAPE, View};
use super::{Redacted, named, random, schemes, shapes, tools, urls};

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
    shapes::find(view, &mut found);
    urls::find(view, &mut found);
    named::find(view, &mut found);
    schemes::find(view, &mut found);
    tools::find(view, &mut found);
    if random == Random::Mask {
        random::find(view, &mut found);
    }
    found.iter().filter_map(|range| view.units_of(range)).collect()
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
