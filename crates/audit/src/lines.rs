use std::io::{self, BufRead, ErrorKind, Read};

use crate::line::LONGEST;

/// Lines of bounded length out of a stream.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    line: Vec<u8>,
}

/// What came next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A whole line; its text is in [`Lines::line`], without the line feed.
    Whole,
    /// The stream ended within a line.
    Cut,
    /// A line longer than a record may be; it was not kept.
    TooLong,
    /// Nothing is left.
    End,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            line: Vec::new(),
        }
    }

    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    /// True when nothing follows what was read.
    pub(crate) fn at_end(&mut self) -> io::Result<bool> {
        loop {
            match self.source.fill_buf() {
                Ok(rest) => return Ok(rest.is_empty()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn next(&mut self) -> io::Result<Piece> {
        let mut whole = Piece::Whole;
        let mut cut = Piece::End;
        loop {
            self.line.clear();
            let bound = u64::try_from(LONGEST).unwrap_or(u64::MAX);
            let read = self
                .source
                .by_ref()
                .take(bound)
                .read_until(b'\n', &mut self.line)?;
            if self.line.pop_if(|last| *last == b'\n').is_some() {
                return Ok(whole);
            }
            if read < LONGEST {
                return Ok(if read == 0 { cut } else { Piece::Cut });
            }
            (whole, cut) = (Piece::TooLong, Piece::Cut);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &[u8]) -> Vec<(Piece, usize)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(100, text));
        std::iter::from_fn(|| {
            let piece = lines.next().unwrap();
            (piece != Piece::End).then(|| (piece, lines.line().len()))
        })
        .collect()
    }

    #[test]
    fn the_bound_counts_the_line_feed() {
        let line = |length: usize| [vec![b'x'; length], vec![b'\n']].concat();
        for (length, piece) in [
            (LONGEST - 1, Piece::Whole),
            (LONGEST, Piece::TooLong),
            (2 * LONGEST, Piece::TooLong),
        ] {
            let text = [line(3), line(length), line(3)].concat();
            let found = pieces(&text);
            assert_eq!(found.len(), 3, "{length}");
            assert_eq!(found[1].0, piece, "{length}");
            assert_eq!((found[0], found[2]), ((Piece::Whole, 3), (Piece::Whole, 3)));
        }
    }

    #[test]
    fn a_stream_that_ends_within_a_line_is_cut_there() {
        assert_eq!(pieces(b""), []);
        assert_eq!(pieces(b"\n"), [(Piece::Whole, 0)]);
        for length in [1, LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 3 * LONGEST + 7] {
            let found = pieces(&vec![b'x'; length]);
            assert_eq!(found.len(), 1, "{length}");
            assert_eq!(found[0].0, Piece::Cut, "{length}");
        }
    }
}
