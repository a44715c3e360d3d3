use std::path::Path;

use crate::Resources;

/// A person who can be asked.
pub trait Interface {
    /// Asks, and gives the choice; `None` when the question was closed, which is untrusted and not saved. A panic is the
    /// same.
    fn choose(&mut self, prompt: &Prompt<'_>) -> Option<Choice>;
}

/// What a person is asked about.
#[derive(Debug)]
#[non_exhaustive]
pub struct Prompt<'a> {
    /// The project's canonical directory.
    pub project: &'a Path,
    /// The directory above it, which [`Choice::TrustParent`] is about.
    pub parent: Option<&'a Path>,
    /// What would be trusted, and what is read in any case.
    pub resources: &'a Resources,
    /// It was trusted once, and holds something else now.
    pub has_changed: bool,
    /// Without a store every choice is for this session.
    pub can_save: bool,
}

/// What a person can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every front end has to offer all of them")]
pub enum Choice {
    /// Trust this project from now on.
    Trust,
    /// Trust every project in the directory above from now on.
    TrustParent,
    /// Trust this project as long as this session lasts.
    TrustForSession,
    /// Do not trust this project, now and later.
    DoNotTrust,
    /// Do not trust this project as long as this session lasts.
    DoNotTrustForSession,
}

impl Choice {
    /// All of them, in the order of a menu.
    pub const ALL: [Self; 5] = [
        Self::Trust,
        Self::TrustParent,
        Self::TrustForSession,
        Self::DoNotTrust,
        Self::DoNotTrustForSession,
    ];

    /// The one to preselect: it trusts nothing and saves nothing.
    pub const SAFE: Self = Self::DoNotTrustForSession;

    /// Whether it trusts.
    #[must_use]
    pub fn is_trusted(self) -> bool {
        matches!(self, Self::Trust | Self::TrustParent | Self::TrustForSession)
    }
}

/// What the user's own settings say where nothing else decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "any other word is `ask`")]
pub enum Fallback {
    /// Trust without asking.
    Always,
    /// Do not trust.
    Never,
    /// Ask.
    #[default]
    Ask,
}

impl Fallback {
    /// The default that this word means: `always` and `never`; any other is `ask`.
    #[must_use]
    pub fn by_word(word: &str) -> Self {
        match word {
            "always" => Self::Always,
            "never" => Self::Never,
            _ => Self::Ask,
        }
    }
}
