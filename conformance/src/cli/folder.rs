//! The folder that holds the suite.

use std::path::{Path, PathBuf};

use crate::fixture::{ADMITTED, Family, Source, read_folder};
use crate::lint::lint_for;
use crate::os::disk;
use crate::{Error, Fault, Inventory, Manifest, Profile, Spec};

/// Everything in it, read.
pub(super) struct Folder {
    path: PathBuf,
    pub(super) sources: Vec<Source>,
    pub(super) spec: Spec,
    pub(super) uncovered: String,
    pub(super) profiles: Vec<Profile>,
    inventories: Vec<Inventory>,
}

impl Folder {
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            sources: read_folder(&path.join("cases"))?,
            spec: Spec::read(&disk::text(&path.join("SPEC.md"))?)?,
            profiles: Profile::read_folder(&path.join("profiles"))?,
            inventories: Inventory::read_folder(&path.join("inventories"))?,
            uncovered: disk::text(&path.join("cases").join(ADMITTED))?,
            path: path.to_path_buf(),
        })
    }

    /// `is_run`: the families whose trees are tried too.
    pub(super) fn lint(&self, is_run: impl Fn(&Family) -> bool) -> Result<Vec<Fault>, Error> {
        let manifest = Manifest::read(&disk::text(&self.manifest())?)?;
        let mut faults = lint_for(&self.sources, &self.spec, &manifest, &self.uncovered, is_run);
        faults.extend(
            self.profiles
                .iter()
                .flat_map(|profile| profile.faults(&self.sources)),
        );
        faults.extend(
            self.inventories
                .iter()
                .flat_map(|list| list.faults(&self.sources)),
        );
        Ok(faults)
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.path.join("manifest.toml")
    }

    pub(super) fn matrix(&self) -> PathBuf {
        self.path.join("straw.toml")
    }
}
