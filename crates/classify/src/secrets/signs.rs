//! Which signs a text has. Nearly every text has few of them, and what needs one is not looked for without it.

/// The ASCII characters of a text, a bit each, and whether there are others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs {
    ascii: u128,
    others: bool,
}

/// What a word is made of that is told to nobody and names nothing.
const OF_A_WORD: u128 = {
    let mut all = 0;
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'.' | b'/' | b',' | b'+' | b'~' | b'%')
        {
            all |= 1 << byte;
        }
        byte += 1;
    }
    all
};

impl Signs {
    pub(super) fn of(text: &str) -> Self {
        let mut ascii = 0;
        let mut all = 0;
        for byte in text.bytes() {
            ascii |= 1_u128 << (byte & 0x7f);
            all |= byte;
        }
        // A byte of another character left a bit as well: one that is not there is looked for in vain.
        Self {
            ascii,
            others: all >= 0x80,
        }
    }

    /// Whether it may stand there.
    pub(super) const fn may_have(self, sign: u8) -> bool {
        self.ascii & (1 << sign) != 0
    }

    /// Whether nothing stands there but what a plain word has.
    pub(super) const fn are_of_a_word(self) -> bool {
        !self.others && self.ascii & !OF_A_WORD == 0
    }
}
