//! Log and state as they were once: what somebody puts back who can write everything beside the log, and no seal.

use std::path::PathBuf;

use super::Sandbox;
use crate::Error;
use crate::os::disk;

impl Sandbox {
    /// Remembers log and state as they are.
    pub(super) fn remember(&self) -> Result<(), Error> {
        let memory = self.memory();
        disk::remove(&memory)?;
        disk::make_dirs(&memory)?;
        for place in self.of_the_log()? {
            if let Some(name) = place.file_name() {
                disk::copy_all(&place, &memory.join(name))?;
            }
        }
        Ok(())
    }

    /// Puts everything back to what was remembered.
    pub(super) fn put_back(&self) -> Result<(), Error> {
        let memory = self.memory();
        if !disk::is_there(&memory) {
            return Err(Error::fixture("nothing was remembered: `remember` comes first"));
        }
        self.of_the_log()?
            .iter()
            .try_for_each(|place| disk::remove(place))?;
        for kept in disk::entries(&memory)? {
            if let Some(name) = kept.file_name() {
                disk::copy_all(&kept, &self.control.join(name))?;
            }
        }
        Ok(())
    }

    fn memory(&self) -> PathBuf {
        self.control.join("remembered")
    }

    /// The log, what the gate keeps beside it, and its state; seals are kept elsewhere.
    fn of_the_log(&self) -> Result<Vec<PathBuf>, Error> {
        let (log, seal) = (self.audit(), self.seal());
        let log = log.as_os_str().as_encoded_bytes();
        let mut places = disk::entries(&self.control)?;
        places.retain(|place| {
            let is_of_log = place.as_os_str().as_encoded_bytes().starts_with(log) && *place != seal;
            is_of_log || place.file_name().is_some_and(|name| name == "state")
        });
        Ok(places)
    }
}
