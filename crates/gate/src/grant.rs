use std::time::Duration;

use portcullis_classify::EffectKind;

use crate::Moment;

/// How far a remembered allow reaches: the exact resources of the call it was given for, for this long, in this
/// process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// From the answer on.
    pub lasts: Duration,
}

/// Names a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GrantId(pub u64);

/// A remembered allow: tool, effects with their canonical resources, user, policy version, expiry.
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
