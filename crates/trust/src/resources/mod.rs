//! What a project brings along that needs trust.

mod fingerprint;

use std::path::{Path, PathBuf};

use crate::{Profile, disk};
pub use fingerprint::Fingerprint;

/// One file or directory of a project that changes an agent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Resource {
    /// Where it is.
    pub place: PathBuf,
    /// The profile that names it.
    pub profile: String,
}

/// What was found for a project directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    project: PathBuf,
    profiles: Vec<String>,
    found: Vec<Resource>,
    uncovered: Vec<PathBuf>,
}

impl Resources {
    /// Looks for the places that the profiles name: in the project directory, and for some in every directory above it.
    /// An empty directory and a dangling link count as present, and so does what cannot be looked at. The user's own
    /// places at home do not.
    #[must_use]
    pub fn find(profiles: &[Profile], project: &Path, home: Option<&Path>) -> Self {
        let mut found = Vec::new();
        let mut uncovered = Vec::new();
        for profile in profiles {
            let here = profile.here.iter().map(|place| project.join(place));
            let upward = profile.upward.iter().flat_map(|place| {
                let places = project.ancestors().map(move |directory| directory.join(place));
                places.filter(|place| !is_spared(profile, place, home))
            });
            let present = here.chain(upward).filter(|place| disk::is_present(place));
            found.extend(present.map(|place| Resource {
                place,
                profile: profile.name.clone(),
            }));
            let others = profile.uncovered.iter().map(|place| project.join(place));
            uncovered.extend(others.filter(|place| disk::is_present(place)));
        }
        found.sort();
        found.dedup();
        uncovered.sort();
        uncovered.dedup();
        Self {
            project: project.to_path_buf(),
            profiles: profiles.iter().map(|profile| profile.name.clone()).collect(),
            found,
            uncovered,
        }
    }

    /// What needs trust, sorted.
    #[must_use]
    pub fn found(&self) -> &[Resource] {
        &self.found
    }

    /// Nothing needs trust.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// What the agent reads without trust: for a report.
    #[must_use]
    pub fn uncovered(&self) -> &[PathBuf] {
        &self.uncovered
    }

    /// The profiles that were looked for.
    pub fn profiles(&self) -> impl Iterator<Item = &str> {
        self.profiles.iter().map(String::as_str)
    }

    /// A digest of all that was found for one profile: names, kinds and contents, through links too. Of what links lead to
    /// outside of the project, it tells which file that is and when it was changed last, and does not open it. `None` when
    /// it is more than can be looked at within bounds (20,000 entries, 64 MiB), or cannot be read.
    #[must_use]
    pub fn fingerprint(&self, profile: &str) -> Option<Fingerprint> {
        let found = self.found.iter().filter(|resource| resource.profile == profile);
        Fingerprint::of(found.map(|resource| resource.place.as_path()), &self.project)
    }
}

fn is_spared(profile: &Profile, place: &Path, home: Option<&Path>) -> bool {
    let Some(home) = home else { return false };
    profile.spared_at_home.iter().any(|own| {
        let own = home.join(own);
        own == place || disk::identity(&own).is_some_and(|own| disk::identity(place) == Some(own))
    })
}
