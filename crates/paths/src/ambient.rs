use std::path::{Path, PathBuf};

/// What the surroundings say, read once by the program at its edge and handed in as values.
///
/// No library crate reads an environment variable, HOME, a clock or the current directory on its own.
#[derive(Debug, Clone, Default)]
pub struct Ambient {
    home: Option<PathBuf>,
}

impl Ambient {
    /// An ambient that knows nothing: `~` cannot be expanded and is refused.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The user's home directory, an absolute path.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The home directory, when it is known.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }
}
