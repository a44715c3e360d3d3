/// How risky: a lattice in which combining is always the maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a lattice of three: a new value must break the build"
)]
pub enum Risk {
    /// It may run.
    Allow,
    /// Ask first.
    Confirm,
    /// It does not run, and nobody can approve it.
    Deny,
}

impl Risk {
    /// The stricter of the two.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }
    /// `allow`, `confirm`, `deny`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirm => "confirm",
            Self::Deny => "deny",
        }
    }
}

/// Where a rule stands. Stronger layers add; none loosens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
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

/// Why a verdict is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cause {
    /// The rule's id.
    pub rule: String,
    /// The layer the rule stands in.
    pub layer: Layer,
    /// The risk this rule asks for.
    pub risk: Risk,
    /// Index of the effect it is about, when it is about one.
    pub effect: Option<usize>,
    /// One sentence for a person: lower case, no full stop, hostile text escaped.
    pub text: String,
}

/// A risk and all its causes, strictest first. There is always at least one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    risk: Risk,
    causes: Vec<Cause>,
}

impl Verdict {
    /// The strictest risk.
    #[must_use]
    pub fn risk(&self) -> Risk {
        self.risk
    }
    /// The causes, strictest first.
    #[must_use]
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }
}
