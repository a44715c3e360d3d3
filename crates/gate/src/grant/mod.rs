mod command;
mod content;
mod error;
mod file;
mod kept;
mod key;
mod offers;
mod scope;
mod store;

use std::fmt;

use portcullis_classify::EffectKind;

use crate::Moment;

pub use error::GrantError;
pub use file::GrantStore;
pub use kept::KeptGrant;
pub(crate) use key::GrantKey;
pub use offers::Offers;
pub use scope::Scope;
pub(crate) use store::{Grants, Now};

/// Names a grant; random, so that no two processes give the same. Written as sixteen hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GrantId(pub u64);

impl GrantId {
    pub(crate) fn fresh() -> Option<Self> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(u64::from_be_bytes(bytes)))
    }

    /// Reads what `Display` writes.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        if text.len() != 16 || !text.bytes().all(is_digit) {
            return None;
        }
        u64::from_str_radix(text, 16).ok().map(Self)
    }
}

impl fmt::Display for GrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A remembered allow: tool, effects with their canonical resources, user, what the policy says of them, expiry.
///
/// It matches a later call only when every one of these is the same, the call's effects do the same thing to the
/// same places, and no rule asks that did not ask, or said something else, when it was given; what is built in, programs,
/// names and levels have to be the same altogether. It never reaches a parent or a sibling, and a child
/// only below a directory that a person named; never a call about private data. A command is covered as a whole: the
/// same arguments from the same directory, leading to the same places, and running files that hold the same; where it is
/// not known which files say what runs, in its own session only. Never one that is opaque in any part. Any other
/// call with an effect that is not about a resolved path is not covered at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grant {
    /// Its name.
    pub id: GrantId,
    /// The tool.
    pub tool: String,
    /// The effects with the display form of their places; for what a command does besides, a digest of the whole call.
    pub resources: Vec<(EffectKind, String)>,
    /// The directory that a person named: the same is granted for everything below it.
    pub directory: Option<String>,
    /// The session that it is bound to.
    pub session: Option<String>,
    /// Whose it is.
    pub user: String,
    /// The policy it was given under.
    pub policy: String,
    /// When it ends.
    pub expires: Moment,
    /// Whether it outlives the process.
    pub is_kept: bool,
}
