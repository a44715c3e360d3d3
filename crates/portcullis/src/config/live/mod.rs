//! The user's file while a gate runs.

mod watch;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use watch::{Seen, Watch};

use super::diagnostic::ConfigError;
use super::{UserConfig, files, parse_user};

/// Between two looks that find the same: the kernel tells of a write a moment after it, and some editors take a file away
/// before they put the new one in its place.
const QUIET: Duration = Duration::from_millis(100);
/// Tries until it is left for the next time.
const TRIES: usize = 3;

/// The user's file, read anew whenever it is another one. What somebody is still writing is never taken for a file: until
/// it is closed, and the same at two looks a tenth of a second apart, the version before it holds.
///
/// Where the kernel does not tell what happens to files (it has no watch to spare, or the file system is another machine's),
/// the two looks alone decide.
#[derive(Debug)]
pub struct LiveUser {
    path: PathBuf,
    name: String,
    watch: Watch,
    known: Option<Result<Option<String>, ConfigError>>,
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
            watch: Watch::over(path),
            known: None,
        }
    }

    /// Looks whether it is another file than the last time. A file that was there and is gone cannot be used; the defaults
    /// never step into its place.
    pub fn look(&mut self) -> Change {
        for _ in 0..TRIES {
            if self.watch.look() == Seen::Half && self.known.is_some() {
                return Change::Unsettled;
            }
            let found = files::read_user(&self.path, &self.name);
            if self.known.is_none() {
                return self.take(found);
            }
            if self.known.as_ref() == Some(&found) {
                return Change::Same;
            }
            sleep(QUIET);
            let is_quiet = matches!(self.watch.look(), Seen::Nothing | Seen::Untold);
            if is_quiet && files::read_user(&self.path, &self.name) == found {
                return self.take(found);
            }
        }
        Change::Unsettled
    }

    fn take(&mut self, found: Result<Option<String>, ConfigError>) -> Change {
        let is_first = self.known.replace(found.clone()).is_none();
        Change::Now(match found {
            Ok(Some(text)) => parse_user(&text, &self.name).map(Some),
            Ok(None) if is_first => Ok(None),
            Ok(None) => Err(ConfigError::gone(&self.name)),
            Err(error) => Err(error),
        })
    }

    /// Forgets what was read: the next look finds a change. For whoever could not put it in force.
    pub fn forget(&mut self) {
        if let Some(known) = &mut self.known {
            // Not `None`: that would be a first look, which takes a missing file for none at all.
            *known = Err(ConfigError::gone(&self.name));
        }
    }
}
