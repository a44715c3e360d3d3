//! A project's file while a gate runs.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use portcullis_classify::{Layer, LayerRules};
use portcullis_trust::{Decision, TrustedProject};

use super::super::{PROJECT_POLICY, files, parse_project};
use super::file::{LiveFile, Look};
use crate::config::ConfigError;

/// Who decides whether a project is trusted.
type Decide = Box<dyn FnMut(&Path) -> Decision + Send>;

/// A project whose trust is decided on, and whose file is read, anew before each call.
///
/// A file that appears in it, changes or goes is a question of trust again. Where the decider does not trust the project as it
/// is now, its file is not read and its own code asks; a file that is there after the reading and was not trusted is not
/// taken up. What counts is the decider's answer, not that somebody was asked: by the order of decision a project in which
/// nothing needs trust, and of which nobody said no, is trusted, and its code runs. What a trusted file tightened stays until another trusted file takes its place or
/// the gate ends: by taking its file away, or by being trusted no more, a project loosens nothing.
pub struct LiveProject {
    root: PathBuf,
    decide: Decide,
    file: LiveFile,
    /// The root of a project whose code may run.
    trusted: Option<PathBuf>,
    /// What it tightens.
    layer: Option<LayerRules>,
}

/// What became of a project.
#[derive(Debug)]
pub(crate) enum ProjectChange {
    /// It is the same.
    Same,
    /// Another file is in force, or it is trusted otherwise.
    Changed,
    /// Its file is trusted and cannot be used.
    Broken(ConfigError),
}

impl LiveProject {
    /// The project in this workspace root, and who decides on it: that is asked before each call, and should ask nobody in
    /// turn. A decider that panics says no.
    pub fn new(root: &Path, decide: impl FnMut(&Path) -> Decision + Send + 'static) -> Self {
        Self {
            root: root.to_owned(),
            decide: Box::new(decide),
            file: LiveFile::at(&root.join(PROJECT_POLICY)),
            trusted: None,
            layer: None,
        }
    }

    /// The root of a project whose code may run.
    pub(crate) fn trusted(&self) -> Option<&PathBuf> {
        self.trusted.as_ref()
    }

    /// What it tightens.
    pub(crate) fn layer(&self) -> Option<&LayerRules> {
        self.layer.as_ref()
    }

    /// Decides, and takes up what its file says now.
    pub(crate) fn look(&mut self) -> ProjectChange {
        let before = self.trusted.clone();
        let project = self.decide();
        let is_same = self.trusted == before;
        let same = if is_same {
            ProjectChange::Same
        } else {
            ProjectChange::Changed
        };
        let below = Path::new(PROJECT_POLICY);
        let Some(project) = project.filter(|project| project.covers(&project.root().join(below))) else {
            return same;
        };
        let root = project.root();
        let name = root.join(below).to_string_lossy().into_owned();
        let text = match self.file.look(|| files::read_project(root, below, &name)) {
            Look::Now { text, .. } => text,
            Look::Same | Look::Unsettled => return same,
        };
        // Between the decision and the reading there is a moment: what was read may be a file that nobody trusted.
        let again = self.decide();
        if !again.is_some_and(|again| again.root() == root && again.covers(&root.join(below))) {
            let why = "it was not trusted when it was read".to_owned();
            self.file
                .forget(ConfigError::unreadable(&name, why, "decide on the project again"));
            return if self.trusted == before {
                ProjectChange::Same
            } else {
                ProjectChange::Changed
            };
        }
        let parsed = text.and_then(|text| text.map(|text| parse_project(&text, &name, root)).transpose());
        match parsed {
            Ok(Some(config)) => {
                self.layer = Some(config.rules);
                ProjectChange::Changed
            }
            Ok(None) => same,
            Err(error) => {
                let layer = self
                    .layer
                    .get_or_insert_with(|| LayerRules::empty(Layer::Project));
                layer.broken = Some(error.broken());
                ProjectChange::Broken(error)
            }
        }
    }

    /// Decides; the project's code runs by the last decision.
    fn decide(&mut self) -> Option<TrustedProject> {
        let decided = catch_unwind(AssertUnwindSafe(|| (self.decide)(&self.root)));
        let project = match decided {
            Ok(Decision::Trusted(project)) => Some(project),
            Ok(Decision::Untrusted) | Err(_) => None,
        };
        self.trusted = project.as_ref().map(|project| project.root().to_path_buf());
        project
    }
}

impl fmt::Debug for LiveProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveProject")
            .field("root", &self.root)
            .field("trusted", &self.trusted)
            .finish_non_exhaustive()
    }
}
