/// Where a rule stands. Layers add to each other; none loosens another (invariant 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Layer {
    #[default]
    /// Compiled in.
    BuiltIn,
    /// The user's file.
    User,
    /// The trusted project's file.
    Project,
    /// Environment and flags of this run.
    Run,
}

impl Layer {
    /// All layers, from the ground up.
    pub const ALL: [Self; 4] = [Self::BuiltIn, Self::User, Self::Project, Self::Run];

    /// `built-in`, `user`, `project`, `run`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Project => "project",
            Self::Run => "run",
        }
    }
}
