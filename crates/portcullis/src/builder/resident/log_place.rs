//! Where the log of a gate that stays is, and where the user's file says it is.

use std::path::{Path, PathBuf};

use super::super::Builder;
use crate::config::{Change, UserConfig};
use crate::{Error, visible};

/// The log in use, and what is said of it now.
#[derive(Debug)]
pub(super) struct LogPlace {
    /// None where it is not the user's file that says it.
    used: Option<PathBuf>,
    home: Option<PathBuf>,
    /// The first word was that there is none, so that no word means the log in use.
    is_default: Option<bool>,
    /// Another place, as text.
    other: Option<String>,
}

impl LogPlace {
    pub(super) fn new(builder: &Builder) -> Self {
        let own = &builder.own;
        Self {
            used: own.log.clone().filter(|_| own.log_is_the_users),
            home: builder.ambient.home().map(Path::to_path_buf),
            is_default: None,
            other: None,
        }
    }

    /// What a look at the user's file found.
    pub(super) fn hears(&mut self, change: &Change) {
        let said = match change {
            Change::Now(Ok(config)) => config.as_ref().and_then(audit),
            // The default was taken, and what is mended later may say something else.
            Change::Now(Err(_)) if self.is_default.is_none() => None,
            Change::Same | Change::Unsettled | Change::Now(Err(_)) => return,
        };
        let is_default = *self.is_default.get_or_insert(said.is_none());
        self.other = match (said, &self.used) {
            (_, None) => None,
            (None, _) if is_default => None,
            (None, _) => Some("the standard place".to_owned()),
            (Some(said), Some(used)) => {
                let place = self.expanded(said);
                (place != *used).then(|| format!("`{}`", visible(&place.to_string_lossy(), 200)))
            }
        };
    }

    /// Why nothing may be judged.
    pub(super) fn error(&self) -> Option<Error> {
        let (other, used) = (self.other.as_ref()?, self.used.as_ref()?);
        Some(Error::log_moved(other, used))
    }

    fn expanded(&self, place: &Path) -> PathBuf {
        match (place.strip_prefix("~"), &self.home) {
            (Ok(below), Some(home)) => home.join(below),
            _ => place.to_path_buf(),
        }
    }
}

fn audit(config: &UserConfig) -> Option<&Path> {
    config.settings.audit.as_deref()
}
