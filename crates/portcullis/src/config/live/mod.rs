//! Configuration files while a gate runs.

mod file;
mod project;
mod watch;

use std::path::{Path, PathBuf};

use file::{LiveFile, Look};
pub use project::LiveProject;
pub(crate) use project::ProjectChange;

use super::diagnostic::ConfigError;
use super::{UserConfig, files, parse_user};

/// The user's file, read anew whenever it is another one. What somebody is still writing is never taken for a file: until
/// it is closed, and the same at two looks a tenth of a second apart, the version before it holds.
///
/// Where the kernel does not tell what happens to files (it has no watch to spare, or the file system is another machine's),
/// the two looks alone decide.
#[derive(Debug)]
pub struct LiveUser {
    path: PathBuf,
    name: String,
    file: LiveFile,
}

/// What a look at the user's file found.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "who forgets one goes on with a policy that is not in force"
)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one at a time, and it is taken apart at once"
)]
pub enum Change {
    /// The same as before.
    Same,
    /// Somebody is writing it: what was read before is still in force.
    Unsettled,
    /// Another one, or the first: what it says, or why it cannot be used. `None`: there is none, and never was.
    Now(Result<Option<UserConfig>, ConfigError>),
}

impl LiveUser {
    /// The file of this name. Nothing is read yet: the first [`LiveUser::look`] does.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            name: path.to_string_lossy().into_owned(),
            file: LiveFile::at(path),
        }
    }

    /// Looks whether it is another file than the last time. A file that was there and is gone cannot be used; the defaults
    /// never step into its place.
    pub fn look(&mut self) -> Change {
        match self.file.look(|| files::read_user(&self.path, &self.name)) {
            Look::Same => Change::Same,
            Look::Unsettled => Change::Unsettled,
            Look::Now { text, is_first } => Change::Now(match text {
                Ok(Some(text)) => parse_user(&text, &self.name).map(Some),
                Ok(None) if is_first => Ok(None),
                Ok(None) => Err(ConfigError::gone(&self.name)),
                Err(error) => Err(error),
            }),
        }
    }

    /// Forgets what was read: the next look finds a change. For whoever could not put it in force.
    pub fn forget(&mut self) {
        self.file.forget(ConfigError::gone(&self.name));
    }
}
