//! Claude Code's tools, by the names and arguments of its own type declarations. A tool whose effects are not
//! known is not here, and so is denied. Unknown members are tolerated: the host's versions drift, and members
//! that carry an effect are named.

mod agents;
mod files;
mod notes;
mod programs;

use super::params::{Builtin, Member, Unknown};
use crate::EffectKind;

pub(super) fn tools() -> impl Iterator<Item = &'static Builtin> {
    files::TOOLS
        .iter()
        .chain(&programs::TOOLS)
        .chain(&agents::TOOLS)
        .chain(&notes::TOOLS)
}

const fn tool(name: &'static str, members: &'static [Member], inherent: &'static [EffectKind]) -> Builtin {
    Builtin {
        name,
        members,
        unknown: Unknown::Tolerated,
        inherent,
    }
}
