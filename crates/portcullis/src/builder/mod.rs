//! Values in, a gate out.

mod hosts;
mod own_files;
mod resident;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use own_files::OwnFiles;
use portcullis_audit::{Log, LogOptions};
use portcullis_classify::{Classifier, Layer, LayerRules, Policy, Toolbox};
use portcullis_gate::{Clock, Gate, GrantStore, Settings};
use portcullis_paths::{Ambient, Dialect, Operation, Request, Resolver, Zones};
use portcullis_trust::TrustedProject;
pub use resident::{OpenResident, Refreshed, Resident};

use crate::Error;
use crate::config::{self, ConfigError, ProjectConfig, RunConfig, UserConfig};

/// A log of this many bytes goes over to a new file: small enough for an editor, large enough for some hundred thousand
/// records.
const ROTATE_AT: u64 = 64 << 20;

/// Longest wait for another process that is writing the log.
const LOCK_WAIT_MS: u64 = 2_000;

/// Collects what a gate is made of.
///
/// Nothing is read from the surroundings: home, workspace, clock and log come in as values. The gate's own files
/// (everything named with [`Builder::own`] and [`Builder::audit_log`], and `.portcullis` in every workspace root) are
/// protected by built-in zones that no layer can switch off, and so are the settings in which agents keep their hooks, in
/// the workspace roots, in the home and for the whole machine: they can take the gate away.
#[derive(Debug, Clone)]
#[must_use]
pub struct Builder {
    ambient: Ambient,
    roots: Vec<PathBuf>,
    files: Vec<PathBuf>,
    user: LayerRules,
    projects: Vec<LayerRules>,
    run: LayerRules,
    /// Roots of projects whose own code may run.
    trusted: Vec<PathBuf>,
    toolbox: Toolbox,
    own: OwnFiles,
    settings: Settings,
    /// It goes over the user's.
    run_deadline: Option<Duration>,
    /// The host waits no longer.
    longest_deadline: Duration,
    grants: Option<GrantStore>,
}

/// An open gate, and what was found when its log was opened.
#[non_exhaustive]
pub struct OpenGate {
    /// The gate.
    pub gate: Gate,
    /// The last line of the log was torn by a crash; it was cut off and kept in this file.
    pub torn: Option<PathBuf>,
}

impl Builder {
    /// A builder with the built-in policy, the standard tools and no workspace: everything is outside.
    pub fn new(ambient: Ambient) -> Self {
        Self {
            ambient,
            roots: Vec::new(),
            files: Vec::new(),
            user: LayerRules::empty(Layer::User),
            projects: Vec::new(),
            run: LayerRules::empty(Layer::Run),
            trusted: Vec::new(),
            toolbox: Toolbox::standard(),
            own: OwnFiles::default(),
            settings: Settings::for_user("default"),
            run_deadline: None,
            longest_deadline: Duration::MAX,
            grants: None,
        }
    }

    /// Adds a workspace root, an absolute path of an existing directory. Roots belong to the session: a call never
    /// brings its own (R6).
    pub fn workspace(mut self, root: impl Into<PathBuf>) -> Self {
        self.roots.push(root.into());
        self
    }

    /// Adds one file that belongs to the workspace although its directory does not, by an absolute path; the directory
    /// has to exist, the file need not. It may be read and written like one in a root; removing, moving and linking it
    /// are about its directory, which is outside.
    pub fn workspace_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.files.push(file.into());
        self
    }

    /// What the user's own file says.
    pub fn user(mut self, config: UserConfig) -> Self {
        let standard = Settings::for_user("").deadline;
        self.settings.deadline = config.settings.deadline.unwrap_or(standard);
        self.user = config.rules;
        self
    }

    /// The user's file is there and cannot be used: everything asks at least, with the line as the reason. The
    /// defaults never step into its place.
    pub fn broken_user(mut self, error: &ConfigError) -> Self {
        self.user = LayerRules::broken(Layer::User, error.broken());
        self
    }

    /// What a trusted project's file says.
    pub fn project(mut self, config: ProjectConfig) -> Self {
        self.projects.push(config.rules);
        self
    }

    /// Lets a trusted project's own code run: its builds, tests and scripts are not asked about when a command starts them
    /// in this workspace root. Without it each of them asks. A [`TrustedProject`] need not come from a person's yes: by the
    /// order of decision also a project in which nothing needs trust, and of which nobody said no, is trusted.
    pub fn runs_code_of(mut self, project: &TrustedProject) -> Self {
        self.trusted.push(project.root().to_path_buf());
        self
    }

    /// Lets a trusted project's own code run, and reads its file. One that is there and cannot be used counts as if it tightened everything
    /// it may: everything asks at least, with the line as the reason.
    pub fn trusted_project(self, project: &TrustedProject) -> Self {
        let with_code = self.runs_code_of(project);
        match config::load_project(project) {
            Ok(Some(config)) => with_code.project(config),
            Ok(None) => with_code,
            Err(error) => with_code.broken_project(&error),
        }
    }

    /// A trusted project's file is there and cannot be used.
    pub fn broken_project(mut self, error: &ConfigError) -> Self {
        self.projects
            .push(LayerRules::broken(Layer::Project, error.broken()));
        self
    }

    /// What the environment and the flags of this run say. It can only tighten, whoever set the environment.
    pub fn run(mut self, config: RunConfig) -> Self {
        if let Some(deadline) = config.deadline {
            self.run_deadline = Some(deadline);
        }
        self.run = config.rules;
        self
    }

    /// The environment or a flag says what means nothing: everything asks at least.
    pub fn broken_run(mut self, error: &ConfigError) -> Self {
        self.run = LayerRules::broken(Layer::Run, error.broken());
        self
    }

    /// The tools that exist; [`Toolbox::standard`] when this is not called.
    pub fn toolbox(mut self, toolbox: Toolbox) -> Self {
        self.toolbox = toolbox;
        self
    }

    /// A file or directory of the gate's own (configuration): nothing there may be written, moved or removed.
    pub fn own(mut self, path: &Path) -> Self {
        self.own.configuration.push(path.to_path_buf());
        self
    }

    /// Where decisions and outcomes are recorded; its directory must exist. Log and key may neither be read nor
    /// written by a call.
    pub fn audit_log(mut self, log: &Path) -> Self {
        self.own.log = Some(log.to_path_buf());
        self
    }

    /// The same where it was the user's file that said it, or did not, and then a default of the host's. A gate that stays
    /// does not go over to another log: a log that ends in the middle of a run looks like one that was cut off, and who
    /// can change the file could have what follows recorded elsewhere. So [`Builder::resident`] refuses every call, and
    /// records that here, from the moment the file says another place until it says this one again.
    pub fn audit_log_of_user(mut self, log: &Path) -> Self {
        self.own.log_is_the_users = true;
        self.audit_log(log)
    }

    /// Whatever the layers say, a question is open no longer than this: the caller waits no longer.
    pub fn deadline_at_most(mut self, longest: Duration) -> Self {
        self.longest_deadline = longest;
        self
    }

    /// Where a desk may be: nothing there may be read or written by a call. Whoever can reach its sockets can answer
    /// for a person.
    pub fn desk(mut self, directory: &Path) -> Self {
        self.own.desks.push(directory.to_path_buf());
        self
    }

    /// Where grants are kept that shall survive a restart; its directory must exist before one is. The file is among the
    /// gate's own.
    pub fn grants(mut self, path: &Path) -> Self {
        self.own.configuration.push(path.to_path_buf());
        self.grants = Some(GrantStore::new(path));
        self
    }

    /// Whose grants the gate remembers.
    pub fn for_user(mut self, user: impl Into<String>) -> Self {
        self.settings.user = user.into();
        self
    }

    /// The variables of the environment, of which commands get those that cannot change what runs. `HOME` is the home of
    /// the ambient, because that is what commands are judged with.
    pub fn command_environment(mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.settings.commands.environment = variables.into_iter().collect();
        self
    }

    /// A classifier: judges, and neither asks nor acts nor records.
    ///
    /// # Errors
    /// `Workspace`, `Policy`.
    pub fn classifier(self) -> Result<Classifier, Error> {
        if let Some(root) = self
            .roots
            .iter()
            .chain(&self.files)
            .find(|root| !root.is_absolute())
        {
            return Err(Error::relative_workspace(root));
        }
        let policy = join(
            self.own.layer(&self.roots, self.ambient.home()),
            self.user,
            self.run,
            self.projects,
        )?;
        let roots = self.roots.clone();
        let mut zones = Zones::builder();
        for root in self.roots {
            zones = zones.root(root);
        }
        for file in self.files {
            zones = zones.file(file);
        }
        for zone in policy.zones() {
            zones = zones.zone(zone);
        }
        let zones = zones.open(&self.ambient).map_err(Error::workspace)?;
        let resolver = Resolver::new(zones, self.ambient);
        let trusted = trusted(&resolver, &roots, &self.trusted);
        Ok(Classifier::new(self.toolbox, policy, resolver).with_trusted(trusted))
    }

    /// How long a question stays open.
    fn deadline(&self) -> Duration {
        let deadline = self.run_deadline.unwrap_or(self.settings.deadline);
        deadline.min(self.longest_deadline)
    }

    /// A gate: judges, asks, permits and records.
    ///
    /// # Errors
    /// `Workspace`, `Policy`, `Log`.
    pub fn gate(self, clock: impl Clock + 'static) -> Result<OpenGate, Error> {
        let path = self.own.log.clone().ok_or_else(Error::no_log)?;
        let mut settings = self.settings.clone();
        let environment = &mut settings.commands.environment;
        environment.retain(|(name, _)| name != "HOME");
        environment.extend(self.ambient.home().map(|home| ("HOME".into(), home.into())));
        settings.deadline = self.deadline();
        let grants = self.grants.clone();
        let clock = Arc::new(clock);
        let searches = Arc::clone(&clock);
        let classifier = self.classifier()?.with_clock(move || searches.now().0);
        let opened = Log::open(LogOptions {
            path,
            lock_wait_ms: LOCK_WAIT_MS,
        })
        .map_err(Error::log)?;
        let log = opened.log.rotating_at(ROTATE_AT);
        let gate = Gate::new(classifier, log, clock, settings);
        Ok(OpenGate {
            gate: match grants {
                Some(store) => gate.with_grants(store),
                None => gate,
            },
            torn: opened.torn,
        })
    }
}

/// The indices of the roots that are the directory of a trusted project, by identity: a decision names the canonical
/// place, and a root may be named through a link.
fn trusted(resolver: &Resolver, roots: &[PathBuf], projects: &[PathBuf]) -> Vec<usize> {
    let identity = |path: &PathBuf| {
        let request = Request {
            text: path.as_os_str().as_encoded_bytes(),
            dialect: &Dialect::PLAIN,
            operation: Operation::WorkingDir,
            cwd: path,
        };
        resolver.resolve(&request).ok()?.identity()
    };
    let projects: Vec<_> = projects.iter().filter_map(identity).collect();
    let indices = roots.iter().enumerate();
    indices
        .filter(|(_, root)| identity(root).is_some_and(|root| projects.contains(&root)))
        .map(|(index, _)| index)
        .collect()
}

/// Joins the layers. A project whose ids are taken already cannot be joined: it counts as broken, because a project
/// must not be able to stop the gate, nor to slip out of it.
fn join(
    own: LayerRules,
    user: LayerRules,
    run: LayerRules,
    projects: Vec<LayerRules>,
) -> Result<Policy, Error> {
    let mut layers = vec![own, user, run];
    let mut policy = Policy::join(layers.clone()).map_err(Error::policy)?;
    for project in projects {
        layers.push(project);
        match Policy::join(layers.clone()) {
            Ok(joined) => policy = joined,
            Err(error) => {
                layers.pop();
                let reason = format!("configuration broken: {error}");
                layers.push(LayerRules::broken(Layer::Project, reason));
                policy = Policy::join(layers.clone()).map_err(Error::policy)?;
            }
        }
    }
    Ok(policy)
}
