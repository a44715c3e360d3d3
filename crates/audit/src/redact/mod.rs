//! Text that may stand in the log.

mod escape;
mod glance;
mod mask;
mod named;
mod quoted;
mod random;
mod schemes;
mod shapes;
mod tools;
mod unit;
mod urls;
mod value;
mod view;

use std::fmt;

use serde::{Serialize, Serializer};

pub(crate) use escape::escape;

/// Text that may stand in the log: escaped, bounded, known shapes of secrets masked.
///
/// A record takes nothing else, and there is no way to make one that skips the masking.
///
/// - Control characters, ANSI sequences, bidi and zero-width characters become visible: `\u{1b}`. Bytes that are no
///   UTF-8 become `\xff`. A backslash stays what it is, so a text that spells such an escape looks the same.
/// - Secrets become `***`: credentials in URLs, `Authorization` and other headers, values whose name sounds secret
///   (`password=`, `--token`, `"api_key":`), tokens of known shape, private keys, long words that look random.
/// - Text longer than [`Redacted::LONGEST`] loses its middle to `…`.
///
/// Masking knows shapes, not meanings: a secret that looks like a word and stands where nothing says so is kept.
/// The whole thing is idempotent and linear in the text's length.
///
/// ```
/// use portcullis_audit::Redacted;
///
/// let text = Redacted::text("curl -H 'Authorization: Bearer s3cr3t' https://ann:pw@example.com\u{202e}");
/// assert_eq!(text.as_str(), r"curl -H 'Authorization: ***' https://***@example.com\u{202e}");
/// assert_eq!(format!("{:?}", Redacted::text("PASSWORD=hunter2")), "\"PASSWORD=***\"");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Redacted(String);

impl Redacted {
    /// Longest masked text, in bytes.
    pub const LONGEST: usize = 512;

    /// Masks, escapes and bounds a text.
    #[must_use]
    pub fn text(raw: &str) -> Self {
        Self::bytes(raw.as_bytes())
    }

    /// The same for bytes that need not be UTF-8 (paths).
    #[must_use]
    pub fn bytes(raw: &[u8]) -> Self {
        Self(mask::settle(raw, mask::Random::Mask))
    }

    /// The same for a name that a program made up to tell things apart: a call's or session's id, a policy's
    /// version. Such names look random, so random-looking words are kept; everything else is masked as in
    /// [`Redacted::text`].
    #[must_use]
    pub fn id(raw: &str) -> Self {
        Self(mask::settle(raw.as_bytes(), mask::Random::Keep))
    }

    /// A text that is part of the program. It is masked all the same.
    #[must_use]
    pub fn fixed(text: &'static str) -> Self {
        Self::text(text)
    }

    /// The masked text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Serialize for Redacted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
