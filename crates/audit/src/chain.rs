//! Is this line the next link?

use std::borrow::Cow;

use memchr::memmem;
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
    // Damage of every kind is told from a write that was cut short by reading the whole line.
    let ends = Ends::of(line);
    let fits = ends
        .as_ref()
        .is_some_and(|ends| RecordHash::of(ends.covered) == ends.hash);
    let head = match quick_head(line).filter(|_| fits) {
        Some(head) => head,
        None => read_head(line)?,
    };
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
    let Some(ends) = ends else {
        return wrong("it does not end in `prev` and `hash`");
    };
    if !fits {
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

/// The head of a line that begins as this version writes it, without reading all of it as JSON: its hash tells
/// whether the rest is what was written.
///
/// Members are looked for by their bytes: within a text every quote has a backslash before it, so that no text holds
/// `,"decision":`.
fn quick_head(line: &[u8]) -> Option<Head<'_>> {
    const TIME: usize = 24;
    let rest = line.strip_prefix(b"{\"v\":1,\"seq\":")?;
    let (seq, rest) = number(rest)?;
    let rest = rest.strip_prefix(b",\"time\":\"")?;
    let rest = rest.get(TIME..)?.strip_prefix(b"\",\"kind\":\"")?;
    let (mut decision, mut decision_seq) = (None, None);
    let kind = if rest.starts_with(b"asked\",") {
        "asked"
    } else if let Some(rest) = rest.strip_prefix(b"decided\",") {
        let member = b",\"decision\":\"";
        let at = memmem::find(rest, member)?;
        let word = rest.get(at + member.len()..)?;
        decision = word
            .starts_with(b"permitted\"")
            .then_some(Cow::Borrowed("permitted"));
        "decided"
    } else if let Some(rest) = rest.strip_prefix(b"finished\",") {
        let member = b",\"decision_seq\":";
        let at = memmem::find(rest, member)?;
        decision_seq = Some(number(rest.get(at + member.len()..)?)?.0);
        "finished"
    } else {
        return None;
    };
    Some(Head {
        v: Some(VERSION),
        seq: Some(seq),
        kind: Some(Cow::Borrowed(kind)),
        decision,
        decision_seq,
    })
}

/// Decimal digits as JSON writes a number, and what follows them.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(digits)?;
    if digits.is_empty() || digits.len() > 1 && digits.starts_with(b"0") {
        return None;
    }
    let number = digits.iter().try_fold(0_u64, |number, digit| {
        number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })?;
    Some((number, rest))
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
