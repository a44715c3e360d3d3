//! How far the log had come: a small sealed file beside it, so that an end which is cut off is missed.
//!
//! The head is written after the record is durable, in place and under the log's lock. It may therefore lag behind the
//! log (a crash in between), and never run ahead of it: a head that knows a record which the log does not have means
//! that the log's end is gone. It is sealed with the log's key against those who can write beside the log and cannot
//! read the key; it cannot tell an old head that was put back together with an old log, which only a checkpoint kept
//! elsewhere can.

use std::fs::File;
use std::io::{self, Read as _};

use serde::Deserialize;

use crate::RecordHash;
use crate::chain::Link;
use crate::digest::DigestKey;
use crate::disk;

/// What the head's name adds to the log's.
pub(crate) const SUFFIX: &str = ".head";
/// Every head has this length, so that writing a new one in place is one write within one block of the disk.
const LENGTH: usize = 384;
/// Keeps seals of heads apart from digests of arguments under the same key.
const DOMAIN: &[u8] = b"portcullis head 1\0";

/// Where the log ended when the head was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// The sequence number that the file begins with.
    pub(crate) first: u64,
    /// Bytes of the file up to the end of the last record.
    pub(crate) length: u64,
    /// The last record.
    pub(crate) link: Link,
}

/// A head that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is none.
    Missing,
    /// It is no head.
    Unreadable,
    /// It says this, and nobody without the key could have written it.
    Sealed(Head),
    /// It says this, and its seal is not the key's.
    Forged,
    /// It says this; the key is not at hand.
    Unproven(Head),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<'a> {
    v: u64,
    first: u64,
    length: u64,
    seq: u64,
    hash: &'a str,
    seal: &'a str,
}

impl Head {
    /// The head's whole file.
    pub(crate) fn write(&self, key: &DigestKey) -> Vec<u8> {
        let Self { first, length, link } = self;
        let Link { sequence, hash } = link;
        let covered =
            format!("{{\"v\":1,\"first\":{first},\"length\":{length},\"seq\":{sequence},\"hash\":\"{hash}\"");
        let seal = seal(key, covered.as_bytes());
        let mut text = format!("{covered},\"seal\":\"{seal}\"}}").into_bytes();
        text.resize(LENGTH - 1, b' ');
        text.push(b'\n');
        text
    }

    fn read(bytes: &[u8], key: Option<&DigestKey>) -> Found {
        let Some((text, covered)) = parse(bytes) else {
            return Found::Unreadable;
        };
        let Some(hash) = RecordHash::from_hex(text.hash.as_bytes()) else {
            return Found::Unreadable;
        };
        let head = Self {
            first: text.first,
            length: text.length,
            link: Link {
                sequence: text.seq,
                hash,
            },
        };
        match key {
            None => Found::Unproven(head),
            Some(key) if seal(key, covered) == text.seal => Found::Sealed(head),
            Some(_) => Found::Forged,
        }
    }
}

fn parse(bytes: &[u8]) -> Option<(Text<'_>, &[u8])> {
    let text: Text<'_> = serde_json::from_slice(bytes).ok()?;
    let end = bytes.windows(9).position(|part| part == b",\"seal\":\"")?;
    (text.v == 1).then_some((text, bytes.get(..end)?))
}

fn seal(key: &DigestKey, covered: &[u8]) -> String {
    key.digest(&[DOMAIN, covered].concat()).to_string()
}

/// Reads what is in the head's file.
pub(crate) fn read(file: &File, key: Option<&DigestKey>) -> io::Result<Found> {
    let mut bytes = Vec::with_capacity(LENGTH + 1);
    let most = u64::try_from(LENGTH).unwrap_or(0) + 1;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(match bytes.len() {
        LENGTH => Head::read(&bytes, key),
        _ => Found::Unreadable,
    })
}

/// Writes a head over the one before it. It is not synced: a head that lags behind is no harm.
pub(crate) fn put(file: &File, head: &Head, key: &DigestKey) -> io::Result<()> {
    disk::write_at(file, &head.write(key), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            first: u64::MAX,
            length: u64::MAX,
            link: Link {
                sequence: u64::MAX,
                hash: RecordHash::of(b"x"),
            },
        }
    }

    #[test]
    fn every_head_has_one_length_and_reads_back() {
        let key = DigestKey::new(&[7; 32]);
        let zero = Head {
            first: 1,
            length: 0,
            link: Link::START,
        };
        for head in [head(), zero] {
            let text = head.write(&key);
            assert_eq!(text.len(), LENGTH);
            assert_eq!(Head::read(&text, Some(&key)), Found::Sealed(head));
            assert_eq!(Head::read(&text, None), Found::Unproven(head));
            let other = DigestKey::new(&[8; 32]);
            assert_eq!(Head::read(&text, Some(&other)), Found::Forged);
        }
    }

    #[test]
    fn no_changed_head_is_sealed() {
        let key = DigestKey::new(&[7; 32]);
        let text = head().write(&key);
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed[at] ^= 1;
            assert!(
                !matches!(Head::read(&changed, Some(&key)), Found::Sealed(_)),
                "byte {at}"
            );
        }
    }
}
