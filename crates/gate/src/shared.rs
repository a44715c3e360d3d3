use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use portcullis_audit::{Event, Receipt};
use portcullis_classify::{Assessment, Call, Classifier, Layer};

use crate::batch::Batch;
use crate::breaker::Run;
use crate::grant::{Grants, Now};
use crate::guard::guarded;
use crate::{Clock, Ledger, Settings};

/// What turns a call into an assessment.
pub(crate) trait Judge: Send + Sync {
    fn assess(&self, call: Call) -> Assessment;
    fn policy(&self) -> &str;
    /// Names all that every call is judged by, rules aside.
    fn common(&self) -> &str;
    /// Names what the rules with this id say.
    fn says(&self, layer: Layer, rule: &str) -> String;
    /// The directories that a person may name for such a call.
    fn directories(&self, assessment: &Assessment) -> Vec<PathBuf>;
}

impl Judge for Classifier {
    fn assess(&self, call: Call) -> Assessment {
        Self::assess(self, call)
    }
    fn policy(&self) -> &str {
        Self::policy(self).version()
    }
    fn common(&self) -> &str {
        Self::policy(self).common_version()
    }
    fn says(&self, layer: Layer, rule: &str) -> String {
        Self::policy(self).rule_version(layer, rule)
    }
    fn directories(&self, assessment: &Assessment) -> Vec<PathBuf> {
        self.directories_around(assessment)
    }
}

/// What one call is judged by, from its first look to its verdict: a whole that is exchanged as a whole.
pub(crate) struct Version {
    pub(crate) judge: Box<dyn Judge>,
    /// How long a question of this version stays open.
    pub(crate) deadline: Duration,
}

/// What a gate and everything that came out of it have in common.
pub(crate) struct Shared {
    version: RwLock<Arc<Version>>,
    pub(crate) ledger: Box<dyn Ledger>,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) settings: Settings,
    grants: Mutex<Grants>,
    run: Mutex<Run>,
    batch: Mutex<Batch>,
    shell: OnceLock<Option<PathBuf>>,
}

/// The ledger or the clock failed or panicked: nothing can be said to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotRecorded;

impl Shared {
    pub(crate) fn new(
        judge: Box<dyn Judge>,
        ledger: Box<dyn Ledger>,
        clock: Box<dyn Clock>,
        settings: Settings,
    ) -> Self {
        let deadline = settings.deadline;
        Self {
            version: RwLock::new(Arc::new(Version { judge, deadline })),
            ledger,
            clock,
            settings,
            grants: Mutex::default(),
            run: Mutex::default(),
            batch: Mutex::default(),
            shell: OnceLock::new(),
        }
    }

    /// The shell that commands run through. It is looked for once.
    pub(crate) fn shell(&self, find: fn(&[PathBuf]) -> Option<PathBuf>) -> Option<PathBuf> {
        let found = self.shell.get_or_init(|| find(&self.settings.commands.shells));
        found.clone()
    }

    /// The version that is in force now. Whoever holds it keeps it, whatever comes next.
    pub(crate) fn version(&self) -> Arc<Version> {
        Arc::clone(&self.version.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another version in force, for the calls from here on.
    pub(crate) fn replace(&self, version: Version) {
        *self.version.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(version);
    }

    /// Records durably, or says that it did not.
    pub(crate) fn record(&self, event: &Event) -> Result<Receipt, NotRecorded> {
        match guarded(|| self.ledger.append(self.clock.wall_ms(), event)) {
            Ok(Ok(receipt)) => Ok(receipt),
            Ok(Err(_)) | Err(_) => Err(NotRecorded),
        }
    }

    pub(crate) fn batch(&self) -> MutexGuard<'_, Batch> {
        // Every change to it is one insertion or removal.
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn run(&self) -> MutexGuard<'_, Run> {
        // A panic in the middle of a change leaves a number too low or too high by one.
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Both clocks, for grants.
    pub(crate) fn now(&self) -> Now {
        Now {
            moment: self.clock.now(),
            wall_ms: self.clock.wall_ms(),
        }
    }

    pub(crate) fn grants(&self) -> MutexGuard<'_, Grants> {
        // Every change to the store is one insertion or removal: a panic cannot leave half a grant behind.
        self.grants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
