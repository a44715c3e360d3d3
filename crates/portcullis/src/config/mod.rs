//! Configuration files: read strictly, refused precisely.
//!
//! A file that does not parse, has an unknown key, or whose rules do not do what their own examples say is an
//! error as a whole: a part of a policy is never applied. What a *running* gate does with such a file is the
//! builder's business: see `Builder::broken_user`.

mod diagnostic;
mod document;
mod examples;
mod files;
mod live;
mod lower;
mod origin;
mod read;
mod run;
mod settings;
mod source;
mod suggest;

use std::path::Path;

use portcullis_classify::LayerRules;
use portcullis_trust::TrustedProject;

pub use diagnostic::{ConfigError, ConfigErrorKind, Diagnostic, Position};
pub(crate) use live::ProjectChange;
pub use live::{Change, LiveProject, LiveUser};
pub use origin::Origins;
pub use run::{RunConfig, parse_run};
pub use settings::{HookAllow, UserSettings, WhoIsAsked};
use source::Source;

/// Where a project keeps its policy, below its root.
pub const PROJECT_POLICY: &str = ".portcullis/policy.toml";

/// The JSON Schema of both files, which editors use to complete and to check them.
pub const SCHEMA: &str = include_str!("../../schema/policy.schema.json");

/// What the user's own file says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UserConfig {
    /// What tightens.
    pub rules: LayerRules,
    /// What does not decide risk.
    pub settings: UserSettings,
    /// Where each of it stands.
    pub origins: Origins,
}

/// What a trusted project's file says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProjectConfig {
    /// What tightens; there is nothing else a project can say.
    pub rules: LayerRules,
    /// Where each of it stands.
    pub origins: Origins,
}

/// Reads the user's file; `None` when there is none.
///
/// # Errors
/// Every file that is there and cannot be used as a whole. A dangling link counts as a file that is there.
pub fn load_user(path: &Path) -> Result<Option<UserConfig>, ConfigError> {
    let name = path.to_string_lossy();
    match files::read_user(path, &name)? {
        Some(text) => parse_user(&text, &name).map(Some),
        None => Ok(None),
    }
}

/// Reads a user's file from its text; `name` is what diagnostics call it.
///
/// # Errors
/// As [`load_user`].
pub fn parse_user(text: &str, name: &str) -> Result<UserConfig, ConfigError> {
    let source = Source::new(name, text);
    let document = read::document(&source)?;
    lower::user(document, &source)
}

/// Checks a project's file from its text as if it stood in the project `root`. Nothing of it comes back: using it takes
/// the key that [`load_project`] asks for.
///
/// # Errors
/// As [`load_project`].
pub fn check_project(text: &str, name: &str, root: &Path) -> Result<(), ConfigError> {
    parse_project(text, name, root).map(|_| ())
}

/// The same with a file where it stands; as for a gate, a link in its place is not followed.
///
/// # Errors
/// As [`load_project`]; a file that is not there.
pub fn check_project_file(file: &Path, root: &Path) -> Result<(), ConfigError> {
    let name = file.to_string_lossy();
    let directory = file.parent().unwrap_or(Path::new("/"));
    let below = Path::new(file.file_name().unwrap_or_default());
    match files::read_project(directory, below, &name)? {
        Some(text) => check_project(&text, &name, root),
        None => Err(ConfigError::missing(&name)),
    }
}

/// Reads [`PROJECT_POLICY`] of a trusted project; `None` when there is none. The key is a [`TrustedProject`]:
/// without a decision to trust, no project file is read, and one that appeared after the decision is none of it.
///
/// # Errors
/// Every file that is there and cannot be used as a whole; links are not followed.
pub fn load_project(project: &TrustedProject) -> Result<Option<ProjectConfig>, ConfigError> {
    let below = Path::new(PROJECT_POLICY);
    let path = project.root().join(below);
    if !project.covers(&path) {
        return Ok(None);
    }
    let name = path.to_string_lossy();
    let Some(text) = files::read_project(project.root(), below, &name)? else {
        return Ok(None);
    };
    parse_project(&text, &name, project.root()).map(Some)
}

fn parse_project(text: &str, name: &str, root: &Path) -> Result<ProjectConfig, ConfigError> {
    let source = Source::new(name, text);
    let document = read::document(&source)?;
    lower::project(document, &source, root)
}
