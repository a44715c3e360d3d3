//! Sub-agents: where they would work, and which session answers for them.
//!
//! Two things that do not depend on each other:
//!
//! - [`scan`] looks through the arguments of a call that may start a sub-agent and finds every working directory that
//!   is not the current one. The [`Classifier`](crate::Classifier) uses it for each tool whose name [`may_start`] a
//!   sub-agent or that says so itself; a host that has no classifier can call it alone.
//! - [`ParentClaim`] says in the environment that children inherit which session their questions belong to.
//!
//! # What this does not see
//!
//! The guard sees the arguments of one call. A directory that the tool takes from elsewhere (its defaults, a file, the
//! name of an agent) is not in them. Names are matched loosely: a tool that starts sub-agents under a name of another
//! kind has to declare [`EffectKind::Spawn`](crate::EffectKind::Spawn). What the sub-agent then does is for the gate
//! to judge, call by call.

mod claim;
mod place;
mod scan;

pub use claim::{CARRIERS, Claimed, Environment, MARKERS, PARENT_SESSION, ParentClaim};
pub use scan::{DEPTH_LIMIT, Finding, NODE_LIMIT, Unscannable, may_start, scan};

/// The place of a member of the arguments object.
pub(crate) fn member(name: &str) -> String {
    crate::show::operand(&place::write([place::Step::Member(name)]))
}
