use std::ops::Range;

use super::unit::Unit;

/// A text as a secret's reader would see it: without what is invisible, wide forms folded to plain ones.
#[derive(Debug)]
pub(super) struct View {
    chars: Vec<char>,
    /// The unit that each character came from.
    from: Vec<usize>,
}

/// What stands past the end: no text holds it.
pub(super) const END: char = '\0';
/// What begins an ANSI sequence.
pub(super) const ESCAPE: char = '\u{1b}';
/// Longest ANSI sequence that is looked through.
const SEQUENCE: usize = 32;

impl View {
    /// `through` looks through ANSI sequences: without it, what stands in one is text.
    pub(super) fn new(units: &[Unit], through: bool) -> Self {
        let mut view = Self {
            chars: Vec::with_capacity(units.len()),
            from: Vec::with_capacity(units.len()),
        };
        let mut skip = 0;
        for (at, unit) in units.iter().enumerate() {
            if at < skip {
                continue;
            }
            let shown = match *unit {
                Unit::Seen(seen) => fold(seen),
                Unit::Unseen(ESCAPE) if through => {
                    skip = after_sequence(units, at);
                    continue;
                }
                Unit::Unseen('\0' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') => '\n',
                Unit::Unseen(unseen) if unseen.is_whitespace() => ' ',
                Unit::Unseen(_) => continue,
                Unit::Byte(_) => char::REPLACEMENT_CHARACTER,
            };
            view.chars.push(shown);
            view.from.push(at);
        }
        view
    }

    /// The same for text of visible ASCII alone, where every character is a unit.
    pub(super) fn plain(raw: &[u8]) -> Self {
        Self {
            chars: raw.iter().map(|byte| char::from(*byte)).collect(),
            from: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.chars.len()
    }

    /// The character at a place, or [`END`].
    pub(super) fn at(&self, place: usize) -> char {
        self.chars.get(place).copied().unwrap_or(END)
    }

    pub(super) fn before(&self, place: usize) -> char {
        place.checked_sub(1).map_or(END, |before| self.at(before))
    }

    pub(super) fn part(&self, range: Range<usize>) -> &[char] {
        self.chars.get(range).unwrap_or_default()
    }

    /// True when the text goes on with these ASCII characters, whatever their case.
    pub(super) fn goes_on(&self, place: usize, with: &str) -> bool {
        let mut place = place;
        with.chars().all(|wanted| {
            let same = self.at(place).eq_ignore_ascii_case(&wanted);
            place += 1;
            same
        })
    }

    /// The first place from here on whose character is not of this kind.
    pub(super) fn past(&self, place: usize, kind: impl Fn(char) -> bool) -> usize {
        let mut place = place;
        while place < self.len() && kind(self.at(place)) {
            place += 1;
        }
        place
    }

    /// The units behind a range of characters, invisible ones between them included.
    pub(super) fn units_of(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let first = *self.from.get(range.start)?;
        let last = *self.from.get(range.end.checked_sub(1)?)?;
        (first <= last).then_some(first..last + 1)
    }
}

pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\n'
}

pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

fn fold(c: char) -> char {
    match u32::from(c) {
        wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// The first unit after an ANSI control sequence that begins here.
fn after_sequence(units: &[Unit], escape: usize) -> usize {
    if units.get(escape + 1) != Some(&Unit::Seen('[')) {
        return escape + 1;
    }
    let inside = units.iter().enumerate().skip(escape + 2).take(SEQUENCE);
    for (at, unit) in inside {
        match unit {
            Unit::Seen('@'..='~') => return at + 1,
            Unit::Seen(' '..='?') => {}
            _ => return at,
        }
    }
    escape + 2
}
