use std::collections::BTreeSet;
use std::fmt::Write as _;

use portcullis_classify::{Assessment, EffectKind, Risk};
use sha2::{Digest as _, Sha256};

/// What a call wants: the effects that ask and where they really are, whatever tool and spelling lead there. A digest of
/// them: what is remembered of a run holds no place and no text of a command.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Intent(String);

impl Intent {
    pub(crate) fn of(assessment: &Assessment) -> Self {
        let asking = assessment
            .effects
            .iter()
            .filter(|effect| effect.risk >= Risk::Confirm);
        let parts = asking.map(|effect| {
            let place = effect.place.as_ref().map(|place| place.as_bytes().to_vec());
            (
                effect.kind,
                place.unwrap_or_else(|| effect.operand.as_bytes().to_vec()),
            )
        });
        let mut parts: BTreeSet<_> = parts.collect();
        if parts.is_empty() {
            // A rule about the tool alone asks.
            parts.insert((EffectKind::Opaque, assessment.call.tool().as_bytes().to_vec()));
        }
        Self::from_parts(parts)
    }

    pub(super) fn from_parts(parts: BTreeSet<(EffectKind, Vec<u8>)>) -> Self {
        let parts = parts.iter();
        Self(digest(parts.flat_map(|(kind, what)| {
            [kind.word().as_bytes(), what.as_slice()]
        })))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// As it was written; `None` for what is no digest.
    pub(super) fn read(text: &str) -> Option<Self> {
        is_digest(text).then(|| Self(text.to_owned()))
    }
}

/// Bytes of a digest that are kept.
const KEPT: usize = 16;

/// A digest of all parts, in hexadecimal; each part is told from the next.
pub(super) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part);
    }
    let mut text = String::with_capacity(2 * KEPT);
    for byte in hash.finalize().iter().take(KEPT) {
        // A string takes whatever is written into it.
        let _written = write!(text, "{byte:02x}");
    }
    text
}

pub(super) fn is_digest(text: &str) -> bool {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 2 * KEPT && text.bytes().all(is_hex)
}
