//! The user saves another policy: the files that the subject made of it take the place of those that it goes by.

use std::path::{Path, PathBuf};

use super::Sandbox;
use crate::Error;
use crate::fixture::Saving;
use crate::os::disk::{self, Unfinished};

impl Sandbox {
    /// Where the files of a staged policy are.
    pub(crate) fn staged(&self, number: usize) -> PathBuf {
        self.control.join(format!("staged-{number}"))
    }

    /// Saves the files of a staged policy over those in `config`; gives those that are not written to their end.
    pub(crate) fn save(&self, number: usize, how: Saving) -> Result<Vec<Unfinished>, Error> {
        let staged = self.staged(number);
        let mut unfinished = Vec::new();
        for file in disk::files_below(&staged)? {
            let name = file.strip_prefix(&staged).unwrap_or(&file);
            let place = self.control.join("config").join(name);
            place.parent().map_or(Ok(()), disk::make_dirs)?;
            let bytes = disk::bytes(&file)?;
            match how {
                Saving::Replace => {
                    let beside = beside(&place);
                    disk::write(&beside, bytes)?;
                    disk::rename(&beside, &place)?;
                }
                Saving::Rewrite => disk::write(&place, bytes)?,
                Saving::Emptied => unfinished.push(Unfinished::begin(&place, &bytes, 0)?),
                Saving::Half => unfinished.push(Unfinished::begin(&place, &bytes, bytes.len() / 2)?),
            }
        }
        Ok(unfinished)
    }
}

/// Where an editor writes what is to take a file's place.
fn beside(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push("~");
    PathBuf::from(name)
}
