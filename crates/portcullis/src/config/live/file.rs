//! A configuration file, read anew whenever it is another one.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::watch::{Seen, Watch};
use crate::config::ConfigError;

/// Between two looks that find the same: the kernel tells of a write a moment after it, and some editors take a file away
/// before they put the new one in its place.
const QUIET: Duration = Duration::from_millis(100);
/// Tries until it is left for the next time.
const TRIES: usize = 3;

/// What stands in a file; `None` where there is none.
pub(super) type Text = Result<Option<String>, ConfigError>;

/// What a look found.
pub(super) enum Look {
    /// The same as before.
    Same,
    /// Somebody is writing it.
    Unsettled,
    /// The first, or another one.
    Now { text: Text, is_first: bool },
}

/// A file that is looked at again and again. What somebody is still writing is never taken for a file: until it is closed, and
/// the same at two looks a tenth of a second apart, what was found before holds.
#[derive(Debug)]
pub(super) struct LiveFile {
    watch: Watch,
    known: Option<Text>,
}

impl LiveFile {
    pub(super) fn at(path: &Path) -> Self {
        Self {
            watch: Watch::over(path),
            known: None,
        }
    }

    /// Looks, with whoever may open the file.
    pub(super) fn look(&mut self, read: impl Fn() -> Text) -> Look {
        for _ in 0..TRIES {
            if self.watch.look() == Seen::Half && self.known.is_some() {
                return Look::Unsettled;
            }
            let found = read();
            if self.known.is_none() {
                return self.take(found);
            }
            if self.known.as_ref() == Some(&found) {
                return Look::Same;
            }
            sleep(QUIET);
            let is_quiet = matches!(self.watch.look(), Seen::Nothing | Seen::Untold);
            if is_quiet && read() == found {
                return self.take(found);
            }
        }
        Look::Unsettled
    }

    fn take(&mut self, found: Text) -> Look {
        let is_first = self.known.replace(found.clone()).is_none();
        Look::Now {
            text: found,
            is_first,
        }
    }

    /// Forgets what was read: the next look finds a change. `gone` is what to take it for meanwhile: not for nothing, which
    /// would make the next look a first one.
    pub(super) fn forget(&mut self, gone: ConfigError) {
        if let Some(known) = &mut self.known {
            *known = Err(gone);
        }
    }
}
