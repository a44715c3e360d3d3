//! The folder that holds the suite.

use std::path::{Path, PathBuf};

use crate::fixture::{ADMITTED, Family, Source, read_folder};
use crate::lint::lint_for;
use crate::os::{disk, mounts, process};
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

    /// Takes mounts of its own before any thread is there, where families want some. Where only a user name space gives
    /// that right, the program starts again in one.
    pub(super) fn own_mounts(&self, is_run: impl Fn(&Family) -> bool) {
        let mounts = |family: &Family| family.needs.iter().any(|need| need == "fs.bind");
        let families = || self.sources.iter().map(|source| &source.family);
        if !families().any(mounts) || mounts::own().is_ok() {
            return;
        }
        // In CI every feature has to be there, whatever is selected.
        if process::is_set("CI") || families().any(|family| mounts(family) && is_run(family)) {
            mounts::start_again();
        }
    }

    /// The variants whose trees the lint could not make: this machine lets it mount nothing.
    pub(super) fn untried(&self) -> Vec<String> {
        let all = self.sources.iter().flat_map(|source| {
            let family = &source.family;
            family.variants.iter().map(move |variant| (family, variant))
        });
        all.filter(|(family, variant)| !mounts::are_own() && family.tree_of(variant).has_mounts())
            .map(|(family, variant)| format!("{}#{}", family.id, variant.name))
            .collect()
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.path.join("manifest.toml")
    }

    pub(super) fn matrix(&self) -> PathBuf {
        self.path.join("straw.toml")
    }
}
