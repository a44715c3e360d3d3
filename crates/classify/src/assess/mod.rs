use portcullis_paths::Resolver;

use crate::{Call, Effect, Policy, Toolbox, Verdict};

/// Toolbox, policy and resolver together: turns a call into effects and a verdict.
#[derive(Debug)]
pub struct Classifier {
    toolbox: Toolbox,
    policy: Policy,
    resolver: Resolver,
}

/// Why a denied call is denied.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the refusal is made of it: a new case must break the build"
)]
pub enum Denial {
    /// No tool of that name is registered.
    UnknownTool,
    /// The arguments do not fit the tool's schema, or an operand is missing or has the wrong type.
    BadArguments,
    /// A rule denies it, or a path cannot be resolved.
    Policy,
}

/// What a call would do and how risky that is.
#[derive(Debug)]
#[non_exhaustive]
pub struct Assessment {
    /// The call.
    pub call: Call,
    /// What it would do, with held targets.
    pub effects: Vec<Effect>,
    /// The joined verdict.
    pub verdict: Verdict,
    /// Why it is denied; `Some` exactly when the risk is `Deny`.
    pub denial: Option<Denial>,
    /// Version of the policy that judged.
    pub policy: String,
}

impl Classifier {
    /// A classifier. The resolver must have been opened with [`Policy::zones`].
    #[must_use]
    pub fn new(toolbox: Toolbox, policy: Policy, resolver: Resolver) -> Self {
        Self {
            toolbox,
            policy,
            resolver,
        }
    }
    /// Judges one call. It never fails: what cannot be judged is denied.
    #[must_use]
    pub fn assess(&self, call: Call) -> Assessment {
        let _ = (call, &self.toolbox, &self.policy, &self.resolver);
        todo!()
    }
    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
    /// The tools.
    #[must_use]
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }
}
