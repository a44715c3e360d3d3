use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use crate::chain::{Link, Matters};
use crate::digest::DigestKey;
use crate::head::{self, Found, Head};
use crate::reader::Chain;
use crate::sealing::{beside, kept};
use crate::{Checkpoint, Error, Fault, RecordHash, disk, key};

/// What a check of the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// The first record that is here; 1 for a log with all its parts.
    pub first: u64,
    /// Records whose chain holds, from the first.
    pub good: u64,
    /// The first fault; `None` when all that is here is good.
    pub fault: Option<Fault>,
    /// The last line has no end (a crash while writing): reported, not a broken chain.
    pub torn: bool,
    /// Decisions that permitted a call and have no outcome yet, by sequence number; as far as the chain holds.
    pub open_decisions: Vec<u64>,
    /// Whether something beside the log says how long it was. Without that, records that were cut off its end are not
    /// missed.
    pub has_head: bool,
    /// Whether the log's key was at hand and says that the head is the log's own.
    pub is_head_proven: bool,
    /// Checkpoints that were held against the chain and fit.
    pub checkpoints: usize,
}

/// Checks a whole log in one pass and bounded memory, its head, and the checkpoints that were kept beside it.
///
/// # Errors
/// `Place`, `Io`.
pub fn verify(path: &Path) -> Result<Verification, Error> {
    verify_against(path, &[])
}

/// The same, and against checkpoints that were kept elsewhere.
///
/// # Errors
/// `Place`, `Io`.
pub fn verify_against(path: &Path, elsewhere: &[Checkpoint]) -> Result<Verification, Error> {
    // The head first: the log may grow while it is read, and never shrinks.
    let said = head_of(path)?;
    let (mut checkpoints, unreadable) = kept(path)?;
    checkpoints.extend_from_slice(elsewhere);
    let expected = Expected::of(&said, &checkpoints);
    let mut chain = Chain::open(path)?;
    let mut good = 0;
    let mut open = BTreeSet::new();
    let mut fault = loop {
        match chain.next() {
            Ok(Some(seen)) => {
                if let Some(what) = expected.differs(seen.link) {
                    break Some(chain.fault(what));
                }
                good += 1;
                match seen.matters {
                    Matters::Permitted => {
                        open.insert(seen.link.sequence);
                    }
                    Matters::Finished(decision) => {
                        open.remove(&decision);
                    }
                    Matters::Continued | Matters::No => {}
                }
            }
            Ok(None) => break None,
            Err(fault) => break Some(fault),
        }
    };
    let first = chain.first.unwrap_or(1);
    if fault.is_none() {
        let after = |what| Fault {
            line: chain.fault(String::new()).line + u64::from(!chain.torn),
            part: None,
            what,
        };
        fault = expected
            .missing(chain.last.sequence)
            .or_else(|| said.fault(good))
            .or_else(|| unreadable_seals(unreadable))
            .map(after);
    }
    Ok(Verification {
        first,
        good,
        fault,
        torn: chain.torn,
        open_decisions: open.into_iter().collect(),
        has_head: said.head().is_some(),
        is_head_proven: matches!(said.found, Found::Sealed(_)),
        checkpoints: checkpoints.iter().filter(|seal| seal.sequence() >= first).count(),
    })
}

fn unreadable_seals(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} of the checkpoints kept beside the log cannot be read"))
}

/// What stands beside the log.
struct Said {
    found: Found,
    has_key: bool,
}

impl Said {
    fn head(&self) -> Option<Head> {
        match self.found {
            Found::Sealed(head) | Found::Unproven(head) => Some(head),
            Found::Missing | Found::Unreadable | Found::Forged => None,
        }
    }

    fn fault(&self, good: u64) -> Option<String> {
        let what = match self.found {
            Found::Missing if self.has_key && good > 0 => {
                "the log has lost its head, so that nothing tells whether its end is missing"
            }
            Found::Unreadable => {
                "the log's head cannot be read, so that nothing tells whether its end is missing"
            }
            Found::Forged => "the log's head was not written by the log",
            _ => return None,
        };
        Some(what.to_owned())
    }
}

fn head_of(path: &Path) -> Result<Said, Error> {
    let key = disk::open_if_there(&beside(path, key::SUFFIX)).ok().flatten();
    let key = key.and_then(|file| key_in(&file));
    let has_key = key.is_some();
    let head = beside(path, head::SUFFIX);
    let found = match disk::open_if_there(&head)? {
        None => Found::Missing,
        Some(file) => {
            head::read(&file, key.as_ref()).map_err(|error| Error::io(&head, "cannot be read", error))?
        }
    };
    Ok(Said { found, has_key })
}

fn key_in(file: &File) -> Option<DigestKey> {
    let mut bytes = [0; key::LENGTH];
    let read = disk::read_at(file, &mut bytes, 0).ok()?;
    (read == key::LENGTH).then(|| DigestKey::new(&bytes))
}

/// Which hashes some records must have, and who says so.
#[derive(Default)]
struct Expected(BTreeMap<u64, Vec<(RecordHash, &'static str)>>);

const HEAD: &str = "the log's head";
const CHECKPOINT: &str = "a checkpoint";

impl Expected {
    fn of(said: &Said, checkpoints: &[Checkpoint]) -> Self {
        let mut expected = Self::default();
        for seal in checkpoints {
            expected.add(seal.sequence(), seal.hash(), CHECKPOINT);
        }
        if let Some(head) = said.head().filter(|head| head.link.sequence > 0) {
            expected.add(head.link.sequence, head.link.hash, HEAD);
        }
        expected
    }

    fn add(&mut self, sequence: u64, hash: RecordHash, who: &'static str) {
        self.0.entry(sequence).or_default().push((hash, who));
    }

    /// Says how a record is not what is known of it.
    fn differs(&self, link: Link) -> Option<String> {
        let known = self.0.get(&link.sequence)?;
        let (_, who) = known.iter().find(|(hash, _)| *hash != link.hash)?;
        Some(format!(
            "it is not the record that {who} knows as {}",
            link.sequence
        ))
    }

    /// Says which record should be here and is not.
    fn missing(&self, last: u64) -> Option<String> {
        let (sequence, known) = self
            .0
            .last_key_value()
            .filter(|(sequence, _)| **sequence > last)?;
        let (_, who) = known.first()?;
        Some(format!(
            "the log ends at record {last}, but {who} knows record {sequence}: its end was cut off"
        ))
    }
}
