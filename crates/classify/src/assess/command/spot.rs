//! What is done with a path, and from where.

use portcullis_paths::Operation;

use crate::EffectKind;
use crate::assess::judge::takes_along;
use crate::commands::flow::Directories;
use crate::commands::{Argument, PathRole};

/// What is done with a path, and from where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'p, 's> {
    pub(super) command: Option<usize>,
    pub(super) role: PathRole,
    pub(super) directories: &'p Directories,
    /// What is put there, for what may be a directory.
    pub(super) sources: &'p [&'p Argument<'s>],
}

impl Spot<'_, '_> {
    /// Whether something is put there that is not written out: it may be a link.
    pub(super) fn puts_what_moves(&self) -> bool {
        let mut values = self.sources.iter().flat_map(|source| source.values());
        values.any(|one| one.literal().is_none())
    }
}

/// The operation that the resolver is asked about.
pub(super) fn operation_of(role: PathRole) -> Operation {
    match role {
        PathRole::Of(operation) => operation,
        PathRole::Put | PathRole::Restore => Operation::Write,
        PathRole::MoveTo => Operation::MoveTo,
        PathRole::LinkTo => Operation::LinkTo,
        PathRole::MetaTree => Operation::SetMeta,
        // Some names below go; the directory and what nobody may touch in it need not.
        PathRole::DeleteBelow => Operation::SetMeta,
        PathRole::ListTree => Operation::List,
        PathRole::WorkingDir => Operation::WorkingDir,
        PathRole::Execute => Operation::Read,
    }
}

/// Whether it goes through a directory, and the resolver does not refuse it where something is mounted there.
pub(super) fn goes_below(role: PathRole) -> bool {
    match role {
        PathRole::MetaTree | PathRole::DeleteBelow => true,
        PathRole::Of(operation) => takes_along(operation),
        _ => false,
    }
}

pub(super) fn kind_of(role: PathRole) -> EffectKind {
    match role {
        PathRole::Execute | PathRole::WorkingDir => EffectKind::Execute,
        PathRole::DeleteBelow => EffectKind::Delete,
        role => EffectKind::of(operation_of(role)),
    }
}
