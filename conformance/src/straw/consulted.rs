//! Which lies a session came past: where none of a liar's was asked for, it behaves as the reference does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::os::disk;

/// The file beside the log.
pub(crate) const FILE: &str = "consulted";

/// Where to write, and what stands there already.
static NOTES: Mutex<Option<(PathBuf, BTreeSet<&'static str>)>> = Mutex::new(None);

/// From now on, notes belong to the session with this log.
pub(super) fn begin(log: &Path) {
    *NOTES.lock().unwrap_or_else(PoisonError::into_inner) = Some((log.with_file_name(FILE), BTreeSet::new()));
}

/// Notes a lie, at once: the process may be killed the next moment.
pub(super) fn note(name: &'static str) {
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((file, names)) = &mut *notes
        && names.insert(name)
    {
        // A note that is lost would leave a variant out: the reference could not have written its log there either.
        let _noted = disk::append(file, format!("{name}\n"));
    }
}
