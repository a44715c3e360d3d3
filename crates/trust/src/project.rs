use std::path::{Path, PathBuf};

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

/// The key to every loader of a project's own settings. Only [`decide`] makes one, so that loading without a decision
/// does not compile. It is not `Clone`: one decision opens one project once.
#[derive(Debug)]
pub struct TrustedProject {
    root: PathBuf,
}

impl TrustedProject {
    /// The project's root directory, as it was named when it was decided on.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Decides for one project. Without an override nothing is trusted: a library that forgets to ask is untrusted.
pub fn decide(root: &Path, choice: Option<Override>) -> Decision {
    match choice {
        Some(Override::Yes) => Decision::Trusted(TrustedProject {
            root: root.to_path_buf(),
        }),
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
    }
}
