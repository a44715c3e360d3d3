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

/// Whether the project is trusted, and where that comes from.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "trusted or not")]
pub enum Decision {
    /// Its own files may tighten settings.
    Trusted(TrustedProject),
    /// Its own files are not read.
    Untrusted,
}

/// The key to every loader of a project's own settings. Only this crate makes one, so that loading without a
/// decision does not compile.
#[derive(Debug)]
pub struct TrustedProject {
    root: PathBuf,
}

impl TrustedProject {
    /// The project's root directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Decides for one project. Without an override nothing is trusted.
#[must_use]
pub fn decide(root: &Path, choice: Option<Override>) -> Decision {
    match choice {
        Some(Override::Yes) => Decision::Trusted(TrustedProject {
            root: root.to_path_buf(),
        }),
        Some(Override::No) | None => Decision::Untrusted,
    }
}
