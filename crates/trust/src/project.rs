use std::path::{Path, PathBuf};

use crate::Resources;

/// A flag or an API call for this run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "yes or no")]
pub enum Override {
    /// Trust the project for this run.
    Yes,
    /// Do not trust the project for this run.
    No,
}

/// Whether the project is trusted.
#[derive(Debug)]
#[must_use]
#[expect(clippy::exhaustive_enums, reason = "trusted or not")]
pub enum Decision {
    /// Its own files may tighten settings.
    Trusted(TrustedProject),
    /// Its own files are not read.
    Untrusted,
}

/// The key to every loader of a project's own settings. Only a decision makes one, so that loading without it does not
/// compile. It is not `Clone`: one decision opens one project once.
#[derive(Debug)]
pub struct TrustedProject {
    root: PathBuf,
    covers: Covers,
}

/// What a decision was about.
#[derive(Debug)]
pub(crate) enum Covers {
    /// An override: whatever is there.
    Everything,
    /// What was there when it was decided.
    These(Vec<PathBuf>),
}

impl Covers {
    pub(crate) fn nothing() -> Self {
        Self::These(Vec::new())
    }

    pub(crate) fn these(resources: &Resources) -> Self {
        let places = resources.found().iter().map(|resource| resource.place.clone());
        Self::These(places.collect())
    }
}

impl TrustedProject {
    pub(crate) fn of(root: PathBuf, covers: Covers) -> Self {
        Self { root, covers }
    }

    /// The project's root directory: canonical, or for an override as it was named.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the decision was about this file: a resource that was there when it was decided, or something in one. A
    /// loader that finds more must not load it; the project has to be decided on again.
    #[must_use]
    pub fn covers(&self, file: &Path) -> bool {
        match &self.covers {
            Covers::Everything => true,
            Covers::These(places) => places.iter().any(|place| file.starts_with(place)),
        }
    }
}

/// Decides by an override alone. Without one nothing is trusted: a library that forgets to ask is untrusted. See
/// [`Inquiry`](crate::Inquiry) for the whole order of decision.
pub fn decide(root: &Path, choice: Option<Override>) -> Decision {
    match choice {
        Some(Override::Yes) => Decision::Trusted(TrustedProject::of(root.to_path_buf(), Covers::Everything)),
        Some(Override::No) | None => Decision::Untrusted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_trusts() {
        let root = Path::new("/w");
        assert!(matches!(decide(root, None), Decision::Untrusted));
        assert!(matches!(decide(root, Some(Override::No)), Decision::Untrusted));
        let Decision::Trusted(project) = decide(root, Some(Override::Yes)) else {
            panic!("an override decides");
        };
        assert_eq!(project.root(), root);
        assert!(project.covers(Path::new("/w/.portcullis/policy.toml")));
    }

    #[test]
    fn a_decision_covers_what_was_there() {
        let covers = Covers::These(vec!["/w/.pi/skills".into()]);
        let project = TrustedProject::of("/w".into(), covers);
        assert!(project.covers(Path::new("/w/.pi/skills")));
        assert!(project.covers(Path::new("/w/.pi/skills/a.md")));
        assert!(!project.covers(Path::new("/w/.pi/skills-more")));
        assert!(!project.covers(Path::new("/w/.pi/settings.json")));
    }
}
