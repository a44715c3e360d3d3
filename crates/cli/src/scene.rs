//! The scene that calls are judged in: workspace, working directory, home, layers, log.

mod truster;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use portcullis::config::{self, ConfigError, LiveProject, ProjectConfig, RunConfig, UserConfig};
use portcullis::{Ambient, Builder, Decision, Shape};
use truster::Truster;

use crate::failure::Failure;
use crate::files;
use crate::surroundings::{self, Surroundings};

/// The user's policy file, in the configuration directory.
pub(crate) const USER_POLICY: &str = "policy.toml";
/// The audit log, in the state directory.
const LOG: &str = "audit.jsonl";

/// Flags that set the scene.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Scene")]
pub(crate) struct SceneArgs {
    /// A workspace root; give it again for more [default: the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Vec<PathBuf>,

    /// The working directory of calls that name none [default: the first workspace]
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,

    /// What `~` means in paths of calls and rules [default: your home directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// The user's policy [default: policy.toml in your configuration directory, when it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,

    /// Whether `.portcullis/policy.toml` of the workspaces is read; it can only tighten [default: as decided with
    /// `portcullis trust`]
    #[arg(long, value_name = "ANSWER")]
    pub(crate) trust: Option<Trust>,

    /// A stricter base for this run: careful [also: PORTCULLIS_PRESET]
    #[arg(long, value_name = "WORD")]
    pub(crate) preset: Option<String>,

    /// What becomes of what no rule names, for this run: deny [also: PORTCULLIS_OTHERWISE]
    #[arg(long, value_name = "WORD")]
    pub(crate) otherwise: Option<String>,

    /// What is reviewed more strictly in this run: guardian, or TOOL.PARAMETER=LEVEL, with commas between several [also:
    /// PORTCULLIS_REVIEW]
    #[arg(long, value_name = "WORDS")]
    pub(crate) review: Option<String>,

    /// How long a question stays open, for this run [also: PORTCULLIS_DEADLINE_SECONDS]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) deadline_seconds: Option<String>,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trust {
    /// Read it for this run
    Yes,
    /// Do not read it
    No,
}

/// Whose JSON it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// Ours: {"id", "tool", "args", "cwd", "session"?, "agent"?}
    Portcullis,
    /// Hook input of Claude Code: {"tool_name", "tool_input", "tool_use_id", ...}
    ClaudeCode,
    /// `tool_call` events of Pi: {"toolName", "toolCallId", "input", ...}
    Pi,
}

impl From {
    pub(crate) fn shape(self) -> Shape {
        match self {
            Self::Portcullis => Shape::Portcullis,
            Self::ClaudeCode => Shape::ClaudeCode,
            Self::Pi => Shape::Pi,
        }
    }
}

/// What a broken configuration file means for the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfBroken {
    /// The command ends with an error.
    Stop,
    /// The gate runs, and everything asks at least.
    Tighten,
    /// The gate is there to record that everything is denied; nothing is printed.
    Deny,
}

/// The scene, set.
#[derive(Debug)]
pub(crate) struct Scene {
    /// Everything but toolbox and clock.
    pub(crate) builder: Builder,
    /// For calls that name no working directory.
    pub(crate) cwd: PathBuf,
    /// Where decisions are recorded.
    pub(crate) log: PathBuf,
    /// The user's file, which need not be there.
    pub(crate) policy: PathBuf,
    /// What the user's file says.
    pub(crate) user: Option<UserConfig>,
    /// What the trusted projects' files say.
    pub(crate) projects: Vec<ProjectConfig>,
    /// The workspace roots, and who decides on them.
    roots: Vec<PathBuf>,
    truster: Truster,
    /// What the environment and the flags say.
    pub(crate) run: Option<RunConfig>,
    /// The first configuration file that is broken, in one sentence.
    pub(crate) broken: Option<String>,
}

impl SceneArgs {
    /// Reads the layers and sets the scene. `log` is the flag, when the command has one.
    pub(crate) fn set(
        &self,
        around: &Surroundings,
        if_broken: IfBroken,
        log: Option<&Path>,
    ) -> Result<Scene, Failure> {
        let roots = self.roots(around)?;
        let cwd = match (&self.cwd, roots.first()) {
            (Some(cwd), _) => around.absolute(cwd)?,
            (None, Some(root)) => root.clone(),
            (None, None) => around.current()?.to_path_buf(),
        };
        let home = match &self.home {
            Some(home) => around.absolute(home)?,
            None => around.home()?.to_path_buf(),
        };
        let own = around.config_directory()?;
        if let Some(root) = roots.iter().find(|root| brings_along(root, &own, around)) {
            return Err(Failure::usage(
                format!(
                    "your configuration directory {} lies in the workspace {}",
                    files::shown(&own),
                    files::shown(root)
                ),
                "what comes with a project cannot be your own: unset XDG_CONFIG_HOME, or set it to a place of yours",
            ));
        }
        let mut builder = Builder::new(Ambient::empty().with_home(home))
            .own(&own)
            .grants(&around.grants_file()?)
            .for_user(surroundings::user())
            .own(&around.state_directory()?);
        for root in &roots {
            builder = builder.workspace(root);
        }
        let mut layers = Layers {
            builder,
            if_broken,
            broken: None,
            projects: Vec::new(),
        };
        let run = self.add_run(&mut layers, around)?;
        let policy = match &self.policy {
            Some(file) => around.absolute(file)?,
            None => own.join(USER_POLICY),
        };
        let user = self.add_user(&mut layers, &policy)?;
        let truster = Truster::new(self.trust, around)?;
        for root in &roots {
            Self::add_project(&mut layers, root, &truster)?;
        }
        let named = log;
        let log = log_place(named, user.as_ref(), around)?;
        let builder = layers.builder.command_environment(surroundings::variables());
        let builder = match named {
            Some(_) => builder.audit_log(&log),
            None => builder.audit_log_of_user(&log),
        };
        Ok(Scene {
            builder: builder.desk(&around.desk_directory()?),
            cwd,
            log,
            policy,
            user,
            projects: layers.projects,
            roots,
            truster,
            run,
            broken: layers.broken,
        })
    }

    fn roots(&self, around: &Surroundings) -> Result<Vec<PathBuf>, Failure> {
        if self.workspace.is_empty() {
            return Ok(vec![around.current()?.to_path_buf()]);
        }
        self.workspace.iter().map(|root| around.absolute(root)).collect()
    }

    /// The environment first, then the flags: the stronger word comes last.
    fn add_run(&self, layers: &mut Layers, around: &Surroundings) -> Result<Option<RunConfig>, Failure> {
        let flags = [
            ("--preset", &self.preset),
            ("--otherwise", &self.otherwise),
            ("--review", &self.review),
            ("--deadline-seconds", &self.deadline_seconds),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_deref()?)));
        match config::parse_run(around.said().chain(flags)) {
            Ok(run) => {
                layers.with(|builder| builder.run(run.clone()));
                Ok(Some(run))
            }
            Err(error) => {
                layers.with(|builder| builder.broken_run(&error));
                layers.tell(error)?;
                Ok(None)
            }
        }
    }

    fn add_user(&self, layers: &mut Layers, file: &Path) -> Result<Option<UserConfig>, Failure> {
        let loaded = match &self.policy {
            Some(_) => {
                layers.with(|builder| builder.own(file));
                load_named(file)
            }
            None => config::load_user(file),
        };
        match loaded {
            Ok(user) => {
                layers.with(|builder| match user.clone() {
                    Some(user) => builder.user(user),
                    None => builder,
                });
                Ok(user)
            }
            Err(error) => {
                layers.with(|builder| builder.broken_user(&error));
                layers.tell(error)?;
                Ok(None)
            }
        }
    }

    fn add_project(layers: &mut Layers, root: &Path, truster: &Truster) -> Result<(), Failure> {
        let Decision::Trusted(project) = truster.decide_and_tell(root) else {
            return Ok(());
        };
        layers.with(|builder| builder.runs_code_of(&project));
        match config::load_project(&project) {
            Ok(Some(config)) => {
                layers.projects.push(config.clone());
                layers.with(|builder| builder.project(config));
            }
            Ok(None) => {}
            Err(error) => {
                layers.with(|builder| builder.broken_project(&error));
                layers.tell(error)?;
            }
        }
        Ok(())
    }
}

impl Scene {
    /// The projects for a gate that stays: they are decided on and read anew before each call.
    pub(crate) fn live_projects(&self) -> Vec<LiveProject> {
        let live = |root: &PathBuf| {
            let truster = self.truster.clone();
            LiveProject::new(root, move |root| truster.look(root))
        };
        self.roots.iter().map(live).collect()
    }
}

/// The layers so far.
struct Layers {
    builder: Builder,
    if_broken: IfBroken,
    broken: Option<String>,
    projects: Vec<ProjectConfig>,
}

impl Layers {
    fn with(&mut self, add: impl FnOnce(Builder) -> Builder) {
        let empty = Builder::new(Ambient::empty());
        self.builder = add(std::mem::replace(&mut self.builder, empty));
    }

    /// What a file that cannot be used means for the command.
    fn tell(&mut self, error: ConfigError) -> Result<(), Failure> {
        match self.if_broken {
            IfBroken::Stop => return Err(error.into()),
            IfBroken::Tighten => tell(&error),
            IfBroken::Deny => {}
        }
        self.broken.get_or_insert_with(|| error.broken());
        Ok(())
    }
}

/// Whether the user's configuration would be one that the workspace brings along. Where the home itself is in the
/// workspace, so is everything of the user's.
fn brings_along(root: &Path, own: &Path, around: &Surroundings) -> bool {
    let root = files::leads_to(root);
    let is_home_in_it = around
        .home()
        .is_ok_and(|home| files::leads_to(home).starts_with(&root));
    files::leads_to(own).starts_with(&root) && !is_home_in_it
}

/// The audit log: the flag, else the user's setting, else the state directory.
pub(crate) fn log_place(
    flag: Option<&Path>,
    user: Option<&UserConfig>,
    around: &Surroundings,
) -> Result<PathBuf, Failure> {
    match (flag, user.and_then(|user| user.settings.audit.as_deref())) {
        (Some(flag), _) => around.absolute(flag),
        (None, Some(set)) => Ok(files::expand(set, around.home()?)),
        (None, None) => Ok(around.state_directory()?.join(LOG)),
    }
}

/// A file that was asked for by name has to be there.
fn load_named(file: &Path) -> Result<Option<UserConfig>, ConfigError> {
    match config::load_user(file)? {
        Some(config) => Ok(Some(config)),
        None => Err(ConfigError::missing(&file.to_string_lossy())),
    }
}

fn tell(error: &ConfigError) {
    anstream::eprintln!("{}", error.render());
    anstream::eprintln!("hint: until it is repaired, everything asks");
}
