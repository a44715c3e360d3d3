//! The other answer: there is a doubt about what would run.

use std::fmt;

use super::{Reason, Script};

/// There is a doubt about what the text would run. It is never to be allowed on the strength of what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    first: Doubt,
    others: Vec<Doubt>,
    stopped: bool,
    seen: Script,
}

/// One doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doubt {
    /// What it is.
    pub reason: Reason,
    /// What it is about.
    pub place: Place,
}

impl Doubt {
    pub(super) const fn new(reason: Reason, place: Place) -> Self {
        Self { reason, place }
    }
}

/// A part of the text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Opaque {
    /// The first reason found.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.0.first.reason
    }

    /// Where it was found.
    #[must_use]
    pub fn place(&self) -> Place {
        self.0.first.place
    }

    /// Every doubt in the order found. There may be more behind the place where reading stopped.
    pub fn doubts(&self) -> impl Iterator<Item = Doubt> + '_ {
        std::iter::once(self.0.first).chain(self.0.others.iter().copied())
    }

    /// What was read. Every literal command in it may run, so it counts towards a denial; it never counts towards
    /// allowing. The last command may lack words.
    #[must_use]
    pub fn seen(&self) -> &Script {
        &self.0.seen
    }

    /// Whether the text was read to its end: then the doubt is about what the listed commands do, not about what is
    /// missing in the list.
    #[must_use]
    pub fn is_read_to_the_end(&self) -> bool {
        !self.0.stopped
    }

    /// The answer from all doubts; `stop` is the one that ended the reading.
    pub(super) fn of(doubts: Vec<Doubt>, stop: Option<Doubt>, seen: Script) -> Result<Script, Self> {
        let stopped = stop.is_some();
        let mut all = doubts.into_iter().chain(stop);
        let Some(first) = all.next() else {
            return Ok(seen);
        };
        let others = all.collect();
        Err(Self(Box::new(Inner {
            first,
            others,
            stopped,
            seen,
        })))
    }
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {}", self.reason().sentence(), self.place().start)
    }
}

impl std::error::Error for Opaque {}
