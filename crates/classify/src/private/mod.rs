//! Private data in searches: a search that reaches a private file tells what is in it, whatever its path says.
//!
//! Below the start it is looked for names of the catalogue, within a bound. What could not be looked at to the end counts
//! as private.

mod cache;
mod names;
mod reach;

pub(crate) use cache::Cache;
pub(crate) use names::Names;
pub(crate) use reach::Reach;

use portcullis_paths::{LookOn, Looked, Target};

use crate::policy::builtin::rules;
use crate::{Cause, EffectKind, Policy, show};

/// Names that are looked at for one search.
pub(crate) const BOUND: usize = 10_000;

/// Directories of what is fetched, built or recorded: large, and not where people keep their own.
const SKIPPED: [&[u8]; 6] = [b".git", b"node_modules", b"vendor", b"dist", b"build", b"target"];

/// What a search finds below its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing private.
    Nothing,
    /// A private name, relative to the start.
    Private(String),
    /// Not everything could be looked at.
    Untold,
}

impl Found {
    pub(crate) fn cause(&self) -> Option<Cause> {
        match self {
            Self::Nothing => None,
            Self::Private(name) => {
                let text = format!("what is searched holds private data: `{}`", show::operand(name));
                Some(rules::PRIVATE_BELOW.because(&text))
            }
            Self::Untold => Some(rules::SEARCH_UNTOLD.cause()),
        }
    }
}

/// Looks for what is private below a directory, as far as the search reaches. A start that is no directory has nothing below
/// it.
pub(crate) fn below(
    target: &Target,
    reach: &Reach,
    policy: &Policy,
    home: Option<&std::path::Path>,
) -> Found {
    if reach.is_nothing() {
        return Found::Nothing;
    }
    let start = target.place().as_bytes();
    let mut found = Found::Nothing;
    let looked = target.look_below(BOUND, |path, is_directory| {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let is_out_of_reach = !reach.hidden && name.starts_with(b".");
        if is_out_of_reach || (is_directory && SKIPPED.contains(&name)) {
            return LookOn::Over;
        }
        if is_directory {
            return LookOn::Into;
        }
        let place = || [start, b"/", path].concat();
        let is_private = |place: &[u8]| {
            let causes = policy.name_causes(EffectKind::Search, [place], home);
            !causes.is_empty()
        };
        // There may be thousands, and few of them are selected.
        if reach.selects(name) && is_private(&place()) {
            found = Found::Private(String::from_utf8_lossy(path).into_owned());
            return LookOn::Enough;
        }
        LookOn::Into
    });
    match looked {
        Ok(Looked::Whole | Looked::Enough) => found,
        Ok(Looked::Untold) => Found::Untold,
        // A file, or what is not there: judged itself, and nothing is below it.
        Err(_) => Found::Nothing,
    }
}
