use portcullis_paths::{Place, Target};

use crate::{Cause, Risk};

/// What kind of thing a call would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EffectKind {
    /// Reads an object.
    Read,
    /// Lists names.
    List,
    /// Reads everything below a directory.
    Search,
    /// Writes or creates an object.
    Write,
    /// Removes names.
    Delete,
    /// Renames.
    Move,
    /// Makes a link.
    Link,
    /// Runs a program.
    Execute,
    /// Starts a sub-agent.
    Spawn,
    /// Talks to the network.
    Connect,
    /// Not understood; never allowed.
    Opaque,
}

impl EffectKind {
    /// `read`, `list`, ... as rules and reports write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        todo!()
    }
}

/// One thing the call would do, and how risky that is.
#[derive(Debug)]
#[non_exhaustive]
pub struct Effect {
    /// What kind of thing.
    pub kind: EffectKind,
    /// The argument member it comes from, for example `path`.
    pub member: String,
    /// The operand as written, escaped and bounded.
    pub operand: String,
    /// The resolved target; `None` for what is not a path and for a path that was refused.
    pub target: Option<Target>,
    /// The canonical place, also when the target was refused but its place is known.
    pub place: Option<Place>,
    /// The strictest risk of this effect alone.
    pub risk: Risk,
}

/// Effects and causes of one call before they are joined.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) effects: Vec<Effect>,
    pub(crate) causes: Vec<Cause>,
}
