//! What a command says, within a bound: its beginning and its end are kept, the middle is counted.

use std::collections::VecDeque;

/// One stream's text.
pub(super) struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes that are kept of each.
    half: usize,
    dropped: u64,
}

impl Output {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            half: limit / 2,
            dropped: 0,
        }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        let room = self.half.saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..over);
        self.dropped = self
            .dropped
            .saturating_add(u64::try_from(over).unwrap_or(u64::MAX));
    }

    /// The text; what is not UTF-8 is replaced.
    pub(super) fn text(self) -> String {
        let tail: Vec<u8> = self.tail.into();
        if self.dropped == 0 {
            return String::from_utf8_lossy(&[self.head, tail].concat()).into_owned();
        }
        format!(
            "{}\n({} bytes are left out here)\n{}",
            String::from_utf8_lossy(&self.head),
            self.dropped,
            String::from_utf8_lossy(&tail)
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(limit: usize, parts: &[Vec<u8>]) -> String {
        let mut output = Output::new(limit);
        for part in parts {
            output.add(part);
        }
        output.text()
    }

    #[test]
    fn the_middle_is_left_out() {
        let said = whole(6, &[b"abcd".to_vec(), b"efghij".to_vec()]);
        assert_eq!(said, "abc\n(4 bytes are left out here)\nhij");
        assert_eq!(whole(6, &[b"abc".to_vec(), b"def".to_vec()]), "abcdef");
        assert_eq!(
            whole(6, &["é€".as_bytes().to_vec()]),
            "é€",
            "a letter across the middle"
        );
    }

    proptest! {
        #[test]
        fn however_it_comes_in_the_same_comes_out(
            parts in proptest::collection::vec(proptest::collection::vec(b'a'..=b'z', 0..9), 0..9),
            limit in 0..20_usize,
        ) {
            let joined = parts.concat();
            prop_assert_eq!(whole(limit, &parts), whole(limit, &[joined]));
        }
    }
}
