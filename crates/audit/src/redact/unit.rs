/// One thing on the screen: what is read as one, and written as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A character that shows itself.
    Seen(char),
    /// A character that does not, or that moves others about; written as its number.
    Unseen(char),
    /// A byte that is no part of a character.
    Byte(u8),
}

/// Reads bytes as units. A text that spells an escape reads as that escape, so that reading what was written gives
/// the same units again.
pub(super) fn units(raw: &[u8]) -> Vec<Unit> {
    let mut units = Vec::with_capacity(raw.len());
    for chunk in raw.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(first) = rest.chars().next() {
            let (unit, length) = spelt(rest).unwrap_or_else(|| (plain(first), first.len_utf8()));
            units.push(unit);
            rest = rest.split_at_checked(length).map_or("", |(_, rest)| rest);
        }
        units.extend(chunk.invalid().iter().map(|byte| Unit::Byte(*byte)));
    }
    units
}

impl Unit {
    /// Appends the unit as it is shown.
    pub(super) fn write(self, out: &mut String) {
        match self {
            Self::Seen(seen) => out.push(seen),
            Self::Unseen(unseen) => out.push_str(&format!("\\u{{{:x}}}", u32::from(unseen))),
            Self::Byte(byte) => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
}

fn plain(c: char) -> Unit {
    if is_unseen(c) {
        Unit::Unseen(c)
    } else {
        Unit::Seen(c)
    }
}

/// An escape as [`Unit::write`] spells it, and its length in bytes.
fn spelt(text: &str) -> Option<(Unit, usize)> {
    let after = text.strip_prefix('\\')?;
    if let Some(after) = after.strip_prefix("u{") {
        let (digits, _) = after.split_at_checked(after.bytes().take(7).position(|byte| byte == b'}')?)?;
        let unseen = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        let same = format!("{:x}", u32::from(unseen)) == digits;
        return (same && is_unseen(unseen)).then_some((Unit::Unseen(unseen), digits.len() + 4));
    }
    let digits = after.strip_prefix('x')?.get(..2)?;
    let byte = u8::from_str_radix(digits, 16).ok()?;
    let same = format!("{byte:02x}") == digits;
    (same && byte >= 0x80).then_some((Unit::Byte(byte), 4))
}

/// Characters that are invisible, change the direction or shape of others, or look like a plain space.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(u32::from(c),
            0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2
            | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164
            | 0xe000..=0xf8ff | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffc
            | 0x110bd | 0x110cd | 0x13430..=0x1345f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
            | 0xe0000..=0x10_ffff)
        || u32::from(c) & 0xfffe == 0xfffe
        || matches!(u32::from(c), 0xfdd0..=0xfdef)
}
