use std::io::{self, BufRead, ErrorKind};

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
        Ok(fill(&mut self.source)?.is_empty())
    }

    pub(crate) fn next(&mut self) -> io::Result<Piece> {
        self.line.clear();
        let mut too_long = false;
        let mut empty = true;
        loop {
            let ready = fill(&mut self.source)?;
            if ready.is_empty() {
                return Ok(if empty { Piece::End } else { Piece::Cut });
            }
            empty = false;
            let (text, used, ended) = match ready.iter().position(|byte| *byte == b'\n') {
                Some(end) => (ready.split_at(end).0, end + 1, true),
                None => (ready, ready.len(), false),
            };
            too_long |= self.line.len() + text.len() >= LONGEST;
            if !too_long {
                self.line.extend_from_slice(text);
            }
            self.source.consume(used);
            if ended {
                return Ok(if too_long { Piece::TooLong } else { Piece::Whole });
            }
        }
    }
}

fn fill<R: BufRead>(source: &mut R) -> io::Result<&[u8]> {
    loop {
        match source.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    source.fill_buf()
}
