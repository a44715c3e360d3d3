use std::os::fd::OwnedFd;

use rustix::io::Errno;

/// Longest answer, in bytes: one that names a directory.
const LONGEST: usize = 400;

/// A typed line, as far as it has come in.
#[derive(Debug, Default)]
pub(super) struct Line(Vec<u8>);

/// What one read brought.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Not the end of the line yet.
    More,
    /// The line, without blanks around it.
    Whole(String),
    /// Too long, not UTF-8, or more than one line.
    Unreadable,
    /// The end of the input.
    End,
}

impl Line {
    pub(super) fn read(&mut self, device: &OwnedFd) -> Read {
        let mut buffer = [0_u8; LONGEST + 1];
        match rustix::io::read(device, &mut buffer) {
            Ok(0) => Read::End,
            Ok(length) => self.take(buffer.get(..length).unwrap_or_default()),
            Err(Errno::AGAIN | Errno::INTR) => Read::More,
            Err(_) => Read::End,
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Read {
        self.0.extend_from_slice(bytes);
        let Some(end) = self.0.iter().position(|byte| *byte == b'\n') else {
            return if self.0.len() > LONGEST {
                Read::Unreadable
            } else {
                Read::More
            };
        };
        let line = self.0.get(..end).unwrap_or_default();
        if end + 1 != self.0.len() || line.len() > LONGEST {
            return Read::Unreadable;
        }
        std::str::from_utf8(line).map_or(Read::Unreadable, |line| Read::Whole(line.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::answer(&["a\n"], Read::Whole("a".to_owned()))]
    #[case::blanks(&[" a \n"], Read::Whole("a".to_owned()))]
    #[case::empty(&["\n"], Read::Whole(String::new()))]
    #[case::in_pieces(&["a", "\n"], Read::Whole("a".to_owned()))]
    #[case::unfinished(&["a"], Read::More)]
    #[case::two_lines(&["n\na\n"], Read::Unreadable)]
    #[case::too_long(&[&*"a".repeat(401)], Read::Unreadable)]
    #[case::too_long_with_an_end(&[&*" ".repeat(400), "a\n"], Read::Unreadable)]
    #[case::as_long_as_may_be(&[&*"a".repeat(400), "\n"], Read::Whole("a".repeat(400)))]
    fn a_line_is_whole_or_nothing(#[case] pieces: &[&str], #[case] result: Read) {
        let mut line = Line::default();
        let last = pieces.iter().map(|piece| line.take(piece.as_bytes())).last();
        assert_eq!(last, Some(result));
    }

    #[test]
    fn what_is_not_utf8_is_no_line() {
        assert_eq!(Line::default().take(b"\xff\n"), Read::Unreadable);
    }
}
