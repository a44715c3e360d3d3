mod key;
mod store;

use std::time::Duration;

use portcullis_classify::EffectKind;

use crate::Moment;

pub(crate) use key::GrantKey;
pub(crate) use store::Grants;

/// How far a remembered allow reaches: the exact resources of the call it was given for, for this long, in this
/// process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// From the answer on.
    pub lasts: Duration,
}

impl Scope {
    /// A scope of that length; there is none without an end.
    #[must_use]
    pub fn lasting(lasts: Duration) -> Self {
        Self { lasts }
    }
}

/// Names a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GrantId(pub u64);

/// A remembered allow: tool, effects with their canonical resources, user, policy version, expiry.
///
/// It matches a later call only when every one of these is the same, the call's effects do the same thing to the
/// same places, and no rule asks that did not ask when it was given. It never reaches
/// a parent, a child or a sibling, and never a call with an effect that is not about a resolved path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grant {
    /// Its name.
    pub id: GrantId,
    /// The tool.
    pub tool: String,
    /// The effects with the display form of their places.
    pub resources: Vec<(EffectKind, String)>,
    /// Whose it is.
    pub user: String,
    /// The policy it was given under.
    pub policy: String,
    /// When it ends.
    pub expires: Moment,
}
