use std::io::{self, BufRead};

use crate::Fault;
use crate::chain::{After, Flaw, Link, Seen, check};
use crate::lines::{Lines, Piece};

/// Walks a chain from one record to the next.
#[derive(Debug)]
pub(crate) struct Walk<R> {
    lines: Lines<R>,
    after: After,
    number: u64,
    good: u64,
}

/// What the walk met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Met {
    Record(Seen),
    /// The end of the log is a write that did not come to its end.
    Torn,
    Fault(Fault),
    End,
}

impl<R: BufRead> Walk<R> {
    /// `after` is what the first line has to follow.
    pub(crate) fn new(source: R, after: After) -> Self {
        Self {
            lines: Lines::new(source),
            after,
            number: 0,
            good: 0,
        }
    }

    /// The bytes of all records met so far.
    pub(crate) fn good_bytes(&self) -> u64 {
        self.good
    }

    /// The last record met, or the one the walk began after.
    pub(crate) fn last(&self) -> Option<Link> {
        match self.after {
            After::Record(link) => Some(link),
            After::Unknown | After::Start => None,
        }
    }

    /// The number of the line met last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The text of the line met last.
    pub(crate) fn line(&self) -> &[u8] {
        self.lines.line()
    }

    pub(crate) fn next(&mut self) -> io::Result<Met> {
        let piece = self.lines.next()?;
        if piece != Piece::End {
            self.number += 1;
        }
        let flaw = match piece {
            Piece::End => return Ok(Met::End),
            Piece::Cut => return Ok(Met::Torn),
            Piece::TooLong => Flaw::Wrong("it is longer than a record may be".to_owned()),
            Piece::Whole => match check(self.lines.line(), self.after) {
                Ok(seen) => {
                    self.after = After::Record(seen.link);
                    let length = u64::try_from(self.lines.line().len()).unwrap_or(u64::MAX);
                    self.good = self.good.saturating_add(length).saturating_add(1);
                    return Ok(Met::Record(seen));
                }
                Err(flaw) => flaw,
            },
        };
        let what = match flaw {
            Flaw::Unfinished if self.lines.at_end()? => return Ok(Met::Torn),
            Flaw::Unfinished => "it is not one JSON object".to_owned(),
            Flaw::Wrong(what) => what,
        };
        Ok(Met::Fault(Fault {
            line: self.number,
            part: None,
            what,
        }))
    }
}
