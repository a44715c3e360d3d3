use std::fmt;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::Deserialize;

use crate::RecordHash;
use crate::chain::Link;
use crate::digest::hexadecimal;
use crate::line::time;

/// A signed statement that a log had this record as its last one. One line of JSON:
///
/// ```text
/// {"v":1,"kind":"checkpoint","seq":N,"hash":"<64 digits>","time":"...","key":"<64 digits>","sig":"<128 digits>"}
/// ```
///
/// `sig` is Ed25519, under the public key `key`, of the bytes `portcullis checkpoint 1`, a zero byte, and the line up to
/// and without `,"sig":`. Whoever has the log's directory can sign another one; what counts is a checkpoint, or at
/// least its public key, that was kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    line: String,
    link: Link,
    key: PublicKey,
}

/// The public half of a sealing key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

/// Why a text is no checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It is not one line of the form above.
    #[error("it is not a checkpoint of version 1")]
    Form,
    /// The signature is not one of the key that it names over what it says.
    #[error("its signature does not fit what it says")]
    Signature,
}

const DOMAIN: &[u8] = b"portcullis checkpoint 1\0";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<'a> {
    v: u64,
    kind: &'a str,
    seq: u64,
    hash: &'a str,
    #[serde(rename = "time")]
    _time: &'a str,
    key: &'a str,
    sig: &'a str,
}

impl Checkpoint {
    pub(crate) fn sign(link: Link, time_ms: i64, secret: &[u8; 32]) -> Self {
        let secret = SigningKey::from_bytes(secret);
        let key = PublicKey(secret.verifying_key().to_bytes());
        let Link { sequence, hash } = link;
        let time = time(time_ms);
        let covered = format!(
            "{{\"v\":1,\"kind\":\"checkpoint\",\"seq\":{sequence},\"hash\":\"{hash}\",\"time\":\"{time}\",\"key\":\"{key}\""
        );
        let signature = secret.sign(&[DOMAIN, covered.as_bytes()].concat()).to_bytes();
        Self {
            line: format!("{covered},\"sig\":\"{}\"}}", Hex(&signature)),
            link,
            key,
        }
    }

    /// Reads one line, and checks its signature against the key that it names.
    ///
    /// # Errors
    /// `Form`, `Signature`.
    pub fn read(line: &str) -> Result<Self, CheckpointError> {
        let line = line.trim();
        let text: Text<'_> = serde_json::from_str(line).map_err(|_| CheckpointError::Form)?;
        let covered = line.rsplit_once(",\"sig\":").map(|(covered, _)| covered);
        let hash = RecordHash::from_hex(text.hash.as_bytes());
        let key = RecordHash::from_hex(text.key.as_bytes());
        let (Some(covered), Some(hash), Some(RecordHash(key)), 1, "checkpoint", Some(signature)) =
            (covered, hash, key, text.v, text.kind, signature(text.sig))
        else {
            return Err(CheckpointError::Form);
        };
        let public = VerifyingKey::from_bytes(&key).map_err(|_| CheckpointError::Signature)?;
        public
            .verify_strict(&[DOMAIN, covered.as_bytes()].concat(), &signature)
            .map_err(|_| CheckpointError::Signature)?;
        Ok(Self {
            line: line.to_owned(),
            link: Link {
                sequence: text.seq,
                hash,
            },
            key: PublicKey(key),
        })
    }

    /// The sequence number of the record that was the last one.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.link.sequence
    }

    /// That record's hash.
    #[must_use]
    pub fn hash(&self) -> RecordHash {
        self.link.hash
    }

    /// The key that signed it.
    #[must_use]
    pub fn key(&self) -> PublicKey {
        self.key
    }
}

impl PublicKey {
    /// Reads 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        RecordHash::from_hex(text.as_bytes()).map(|RecordHash(bytes)| Self(bytes))
    }
}

fn signature(text: &str) -> Option<Signature> {
    let (first, second) = text.split_at_checked(64)?;
    let RecordHash(first) = RecordHash::from_hex(first.as_bytes())?;
    let RecordHash(second) = RecordHash::from_hex(second.as_bytes())?;
    Some(Signature::from_components(first, second))
}

/// The line, without a line feed.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let link = Link {
            sequence: 7,
            hash: RecordHash::of(b"x"),
        };
        Checkpoint::sign(link, 0, &[3; 32])
    }

    #[test]
    fn a_checkpoint_reads_back() {
        let line = checkpoint().to_string();
        assert_eq!(Checkpoint::read(&format!("{line}\n")), Ok(checkpoint()));
    }

    #[test]
    fn no_changed_checkpoint_reads() {
        let line = checkpoint().to_string();
        for at in 0..line.len() {
            let mut changed = line.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            assert!(Checkpoint::read(&changed).is_err(), "{changed}");
        }
        assert_eq!(Checkpoint::read("{}"), Err(CheckpointError::Form));
        assert_eq!(Checkpoint::read(""), Err(CheckpointError::Form));
    }

    #[test]
    fn another_keys_signature_does_not_count_as_this_ones() {
        let link = checkpoint().link;
        let other = Checkpoint::sign(link, 0, &[4; 32]);
        let (covered, _) = checkpoint()
            .line
            .rsplit_once(",\"sig\":")
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        let (_, signature) = other.line.rsplit_once(",\"sig\":").unwrap();
        let mixed = format!("{covered},\"sig\":{signature}");
        assert_eq!(Checkpoint::read(&mixed), Err(CheckpointError::Signature));
    }
}
