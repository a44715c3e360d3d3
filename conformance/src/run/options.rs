use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Lie to the variants, as `family#variant`, in which somebody came past it.
pub(crate) type Told = BTreeMap<String, BTreeSet<String>>;

/// How to run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The subject's command.
    pub subject: Vec<OsString>,
    /// How long to wait for one message.
    pub deadline: Duration,
    /// What the order of families depends on.
    pub seed: u64,
    /// How many families at a time.
    pub jobs: usize,
    /// Processes live on from family to family, one for each job.
    pub long_lived: bool,
    /// Leave the sandboxes where they are.
    pub keep: bool,
    /// Copy the log of every session that was not damaged into this folder.
    pub logs: Option<PathBuf>,
    /// Leave a family at its first failure.
    pub give_up: bool,
    /// Keep what a subject of straw tells of the lies that it came past.
    pub(crate) told: Option<Arc<Mutex<Told>>>,
    /// One line about the policy that the subject has; stands in the results.
    pub policy_note: Option<String>,
}

impl Options {
    /// The usual ones.
    #[must_use]
    pub fn new(subject: Vec<OsString>, seed: u64) -> Self {
        Self {
            subject,
            deadline: Duration::from_secs(10),
            seed,
            jobs: 4,
            long_lived: false,
            keep: false,
            logs: None,
            give_up: false,
            told: None,
            policy_note: None,
        }
    }
}
