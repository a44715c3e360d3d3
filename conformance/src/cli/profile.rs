//! `profile`: what claims are about.

use super::exit::Exit;
use super::folder::Folder;
use crate::os::disk;
use crate::{Error, Profile};

/// Shows the profiles, or the families of one, or pins what belongs to one now.
pub(super) fn profile(folder: &Folder, name: Option<&str>, write: bool) -> Result<Exit, Error> {
    let Some(name) = name else {
        for profile in &folder.profiles {
            let state = if profile.is_released() {
                "released"
            } else {
                "draft"
            };
            let count = profile.families().len();
            println!(
                "{:<12} {state:<9} {count:>4} families  {}",
                profile.name(),
                profile.about()
            );
        }
        return Ok(Exit::Conforms);
    };
    let profile = Profile::named(&folder.profiles, name)?;
    if write {
        disk::write(&profile.file, profile.refreshed(&folder.sources)?)?;
    } else {
        for id in profile.families() {
            println!("{id}");
        }
    }
    Ok(Exit::Conforms)
}

/// A draft follows the families; a released profile does not.
pub(super) fn refresh_drafts(folder: &Folder) -> Result<(), Error> {
    for profile in folder.profiles.iter().filter(|profile| !profile.is_released()) {
        disk::write(&profile.file, profile.refreshed(&folder.sources)?)?;
    }
    Ok(())
}
