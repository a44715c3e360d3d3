//! Is this line the next link?

use std::borrow::Cow;

use serde::Deserialize;

use crate::RecordHash;
use crate::line::{CONTINUED, VERSION};

/// One record's place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) sequence: u64,
    pub(crate) hash: RecordHash,
}

impl Link {
    /// What the first record follows.
    pub(crate) const START: Self = Self {
        sequence: 0,
        hash: RecordHash::ZERO,
    };
}

/// What a line has to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// This record.
    Record(Link),
    /// Nothing that is known: only what it says of itself is checked.
    Unknown,
    /// It is the first line of a file: the first record of all, or one that carries on the chain of an earlier part.
    Start,
}

/// A line that holds, and what the reader of a chain keeps of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) link: Link,
    /// The hash that it names as the one before.
    pub(crate) previous: RecordHash,
    pub(crate) matters: Matters,
}

/// What a record means for the list of open decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matters {
    Permitted,
    Finished(u64),
    /// The chain goes on here after an earlier part.
    Continued,
    No,
}

/// Why a line does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is no JSON and does not end like a record either: as the last line, a write that a crash cut short.
    Unfinished,
    /// It is a record, or was one, and something is wrong with it.
    Wrong(String),
}

/// Checks one line without its line feed.
pub(crate) fn check(line: &[u8], after: After) -> Result<Seen, Flaw> {
    let head = read_head(line)?;
    match head.v {
        Some(VERSION) => {}
        Some(newer) if newer > VERSION => {
            return wrong(format!(
                "it has format version {newer}, which is newer than version {VERSION} that is understood here"
            ));
        }
        Some(other) => return wrong(format!("it has format version {other}, which never existed")),
        None => return wrong("it has no format version"),
    }
    let Some(ends) = Ends::of(line) else {
        return wrong("it does not end in `prev` and `hash`");
    };
    if RecordHash::of(ends.covered) != ends.hash {
        return wrong("its hash is not the hash of its text");
    }
    let Some(sequence) = head.seq else {
        return wrong("it has no sequence number");
    };
    let is_continued = head.kind.as_deref() == Some(CONTINUED);
    let after = match after {
        After::Record(link) => Some(link),
        After::Start if is_continued && sequence > 1 => None,
        After::Start => Some(Link::START),
        After::Unknown => None,
    };
    if let Some(after) = after {
        if Some(sequence) != after.sequence.checked_add(1) {
            return wrong(format!(
                "it has sequence number {sequence}, which does not follow {}",
                after.sequence
            ));
        }
        if ends.previous != after.hash {
            return wrong("it does not name the hash of the record before it");
        }
    }
    let matters = match (head.kind.as_deref(), head.decision.as_deref(), head.decision_seq) {
        (Some("decided"), Some("permitted"), _) => Matters::Permitted,
        (Some("finished"), _, Some(decision)) => Matters::Finished(decision),
        (Some(CONTINUED), ..) => Matters::Continued,
        _ => Matters::No,
    };
    let link = Link {
        sequence,
        hash: ends.hash,
    };
    Ok(Seen {
        link,
        previous: ends.previous,
        matters,
    })
}

#[derive(Deserialize)]
struct Head<'a> {
    v: Option<u64>,
    seq: Option<u64>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    decision: Option<Cow<'a, str>>,
    decision_seq: Option<u64>,
}

fn read_head(line: &[u8]) -> Result<Head<'_>, Flaw> {
    serde_json::from_slice(line).map_err(|error| {
        if error.is_data() {
            Flaw::Wrong("a member of it has the wrong type".to_owned())
        } else if Ends::of(line).is_some() && !has_hole(line) {
            Flaw::Wrong("it is not one JSON object".to_owned())
        } else {
            Flaw::Unfinished
        }
    })
}

/// A block that never reached the disk reads as zeros.
fn has_hole(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == [0, 0])
}

fn wrong<T>(what: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw::Wrong(what.into()))
}

/// The two hashes at a line's end, at fixed places, and the text they speak of.
struct Ends<'a> {
    covered: &'a [u8],
    previous: RecordHash,
    hash: RecordHash,
}

impl<'a> Ends<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_suffix(b"\"}")?;
        let (rest, hash) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        let covered = rest.strip_suffix(b",\"hash\":\"")?;
        let rest = covered.strip_suffix(b"\"")?;
        let (rest, previous) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        rest.strip_suffix(b",\"prev\":\"")?;
        Some(Self {
            covered,
            previous: RecordHash::from_hex(previous)?,
            hash: RecordHash::from_hex(hash)?,
        })
    }
}
