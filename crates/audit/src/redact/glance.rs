//! A first look at a text: most texts of a log are short, plain and harmless, and one pass over their bytes tells.

use super::shapes;

/// Which finders could find something. Each is asked only when a byte stands there that it cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glance {
    pub(super) shapes: bool,
    pub(super) urls: bool,
    pub(super) named: bool,
    pub(super) quoted: bool,
    pub(super) schemes: bool,
    pub(super) tools: bool,
    pub(super) random: bool,
}

impl Glance {
    pub(super) const NOTHING: Self = Self {
        shapes: false,
        urls: false,
        named: false,
        quoted: false,
        schemes: false,
        tools: false,
        random: false,
    };

    /// `None` when the text is not plain: not of visible ASCII alone, or with a backslash, which may spell an escape.
    pub(super) fn at(raw: &[u8]) -> Option<Self> {
        let mut glance = Self::NOTHING;
        // One bit for each kind of byte that stands anywhere.
        let mut all = 0;
        let mut run = 0;
        let mut digits = 0;
        let mut before = 0;
        for (at, byte) in raw.iter().enumerate() {
            let class = class(*byte);
            all |= class;
            if class & BASE64 == 0 {
                run = 0;
                digits = 0;
            } else {
                run += 1;
                digits += usize::from(class & DIGIT != 0);
                glance.random |= run >= super::random::SHORTEST && digits > 0;
            }
            if class & ALPHANUMERIC != 0 && before & ALPHANUMERIC == 0 && class & BEGINS != 0 {
                glance.shapes |= shapes::may_begin(raw.get(at..).unwrap_or_default());
            }
            before = class;
        }
        if all & STRANGE != 0 {
            return None;
        }
        let has = |kind: u16| all & kind != 0;
        glance.shapes |= has(DASH) && holds(raw, b"-----");
        glance.urls = has(AT) || has(PERCENT);
        glance.named = has(SIGN) || has(PERCENT) || has(BLANK) && (has(DASH) || holds_bare(raw));
        glance.quoted = has(MARKED) || has(BLANK) && holds_identified(raw);
        glance.schemes = has(BLANK) && holds_scheme(raw);
        glance.tools = has(BLANK) && has(DASH);
        Some(glance)
    }
}

/// Not shown as it is, or read as more than itself.
const STRANGE: u16 = 1;
const ALPHANUMERIC: u16 = 1 << 1;
const DIGIT: u16 = 1 << 2;
const BASE64: u16 = 1 << 3;
const BLANK: u16 = 1 << 4;
const DASH: u16 = 1 << 5;
const AT: u16 = 1 << 6;
const PERCENT: u16 = 1 << 7;
/// What stands between a name and its value.
const SIGN: u16 = 1 << 8;
/// Some token begins so.
const BEGINS: u16 = 1 << 9;
/// What begins a tag.
const MARKED: u16 = 1 << 10;

const CLASSES: [u16; 256] = classes();

fn class(byte: u8) -> u16 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(STRANGE)
}

const fn classes() -> [u16; 256] {
    let mut classes = [0; 256];
    let mut at = 0;
    // Const code has no iterators; `at` stays below the length.
    while at < 256 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::as_conversions,
            reason = "below 256"
        )]
        let byte = at as u8;
        let mut class = match byte {
            b'0'..=b'9' => ALPHANUMERIC | DIGIT | BASE64,
            b'a'..=b'z' | b'A'..=b'Z' => ALPHANUMERIC | BASE64,
            b'+' | b'/' | b'_' => BASE64,
            b'-' => BASE64 | DASH,
            b' ' => BLANK,
            b'@' => AT,
            b'%' => PERCENT,
            b'=' | b':' => SIGN,
            b'\\' => STRANGE,
            b'<' => MARKED,
            b'!'..=b'~' => 0,
            _ => STRANGE,
        };
        if shapes::some_begins_with(byte) {
            class |= BEGINS;
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "below the length; const code has no `get_mut`"
        )]
        {
            classes[at] = class;
        }
        at += 1;
    }
    classes
}

fn holds(raw: &[u8], word: &[u8]) -> bool {
    raw.windows(word.len()).any(|part| part == word)
}

/// Names that need no sign: parts of all of them.
fn holds_bare(raw: &[u8]) -> bool {
    let parts: [&[u8]; 3] = [b"pass", b"kennwort", b"securestring"];
    parts.iter().any(|word| {
        raw.windows(word.len())
            .any(|part| part.eq_ignore_ascii_case(word))
    })
}

fn holds_identified(raw: &[u8]) -> bool {
    let word = b"identified";
    raw.windows(word.len())
        .any(|part| part.eq_ignore_ascii_case(word))
}

fn holds_scheme(raw: &[u8]) -> bool {
    let words: [&[u8]; 2] = [b"bearer", b"basic"];
    words.iter().any(|word| {
        raw.windows(word.len())
            .any(|part| part.eq_ignore_ascii_case(word))
    })
}
