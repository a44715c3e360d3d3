//! Whether the projects of the scene are trusted.

use std::path::Path;

use portcullis::config::PROJECT_POLICY;
use portcullis::trust::{Inquiry, Profile, Source, Store};
use portcullis::{Decision, Override, decide_trust};

use super::Trust;
use crate::failure::Failure;
use crate::files;
use crate::surroundings::Surroundings;

/// The profile of our own project layer.
const OURS: &str = "portcullis";

/// The flag decides for this run; without it, what was saved does. Nobody is asked here.
#[derive(Debug, Clone)]
pub(super) struct Truster {
    flag: Option<Override>,
    store: Store,
    profile: Profile,
}

impl Truster {
    pub(super) fn new(flag: Option<Trust>, around: &Surroundings) -> Result<Self, Failure> {
        let profile =
            Profile::built_in(OURS).map_err(|error| Failure::fault(error.to_string(), "please report it"))?;
        Ok(Self {
            flag: flag.map(|answer| match answer {
                Trust::Yes => Override::Yes,
                Trust::No => Override::No,
            }),
            store: around.trust_store()?,
            profile,
        })
    }

    /// Decides, remembers what was decided about, and says on standard error what a person should know.
    pub(super) fn decide_and_tell(&self, root: &Path) -> Decision {
        if self.flag.is_some() {
            return decide_trust(root, self.flag);
        }
        let outcome = self.inquiry(root).decide();
        if let Source::StoreUnusable(error) = &outcome.source {
            anstream::eprintln!("error: {error}");
            anstream::eprintln!("hint: {}", error.hint());
        }
        if let Source::Changed(_) = &outcome.source {
            anstream::eprintln!(
                "note: {} is not read: {}",
                files::shown(&root.join(PROJECT_POLICY)),
                outcome.source
            );
            anstream::eprintln!("hint: look at it, then `portcullis trust yes`");
        }
        outcome.decision
    }

    /// What holds now.
    pub(super) fn look(&self, root: &Path) -> Decision {
        match self.flag {
            Some(_) => decide_trust(root, self.flag),
            None => self.inquiry(root).look().decision,
        }
    }

    fn inquiry<'a>(&'a self, root: &'a Path) -> Inquiry<'a> {
        Inquiry::new(root, vec![self.profile.clone()]).store(&self.store)
    }
}
