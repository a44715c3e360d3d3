//! What the walk remembers of each directory on its way.

use crate::target::verbs::check::changed;
use crate::{Error, ErrorKind, Facts, Leaf};

/// How often a directory that fills again, or a name that changes its type, is looked at once more.
pub(super) const PATIENCE: u32 = 8;

/// A directory on the way from the top to where the walk is.
pub(super) struct Level {
    /// Its name in the level above; the top is named by the target.
    pub(super) leaf: Leaf,
    pub(super) facts: Facts,
    /// Where reading its names goes on.
    pub(super) cookie: u64,
    /// Something was removed since reading began at the first name.
    pub(super) progress: bool,
    /// Disturbances, and sweeps that removed nothing although it was not empty.
    futile: u32,
}

impl Level {
    pub(super) fn new(leaf: Leaf, facts: Facts) -> Self {
        Self {
            leaf,
            facts,
            cookie: 0,
            progress: false,
            futile: 0,
        }
    }

    /// Somebody changed a name in it: patience, up to a point. Any other error ends the walk.
    pub(super) fn disturbed(&mut self, error: Error) -> Result<(), Error> {
        self.futile = self.futile.saturating_add(1);
        if error.kind() == ErrorKind::Changed && self.futile <= PATIENCE {
            Ok(())
        } else {
            Err(error)
        }
    }

    /// It was not empty, so it is swept from its first name again. While names are removed the limits bound that.
    pub(super) fn swept_in_vain(&mut self) -> Result<(), Error> {
        self.cookie = 0;
        if std::mem::take(&mut self.progress) {
            self.futile = 0;
            return Ok(());
        }
        self.disturbed(changed())
    }
}
