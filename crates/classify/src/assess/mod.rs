//! Judging one call: capability, schema, effects, targets, verdict.

mod agents;
mod around;
mod command;
mod findings;
mod gather;
mod glob;
mod judge;
mod review;

use std::path::PathBuf;

use portcullis_paths::{Ambient, Error, Listings, Resolver, Zones};

use crate::policy::Named;
use crate::policy::builtin::rules;
use crate::private::Cache;
use crate::{Call, Effect, EffectKind, Policy, Risk, ToolSpec, Toolbox, Verdict, show};
use findings::Findings;
use gather::Gather;
use judge::Judge;

/// Toolbox, policy and resolver together: turns a call into effects and a verdict.
#[derive(Debug)]
pub struct Classifier {
    toolbox: Toolbox,
    policy: Policy,
    resolver: Resolver,
    /// A rule or zone of the policy whose place the resolver does not know.
    unopened: Option<String>,
    /// The workspace roots whose own code may run.
    trusted: Vec<usize>,
    searched: Cache,
}

/// Why a denied call is denied. When several are true, the first in this order is named.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the refusal is made of it: a new case must break the build"
)]
pub enum Denial {
    /// No tool of that name is registered.
    UnknownTool,
    /// The arguments do not fit the tool's schema, an operand is missing or has the wrong type, or a path needs a
    /// working directory that the call does not name.
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
    /// The command texts of the call, whole, without the secrets that they are told. They are not escaped.
    pub texts: Vec<String>,
    /// Version of the policy that judged.
    pub policy: String,
}

/// Whether what searches find may be another after it.
fn may_write(kind: EffectKind) -> bool {
    !matches!(kind, EffectKind::Read | EffectKind::List | EffectKind::Search)
}

impl Classifier {
    /// A classifier that opens the workspace roots and the policy's zones itself.
    ///
    /// # Errors
    /// `Zones` when a root is missing, is not a directory or is not absolute.
    pub fn open(
        toolbox: Toolbox,
        policy: Policy,
        roots: impl IntoIterator<Item = PathBuf>,
        ambient: Ambient,
    ) -> Result<Self, Error> {
        let with_roots = roots
            .into_iter()
            .fold(Zones::builder(), |zones, root| zones.root(root));
        let zones = policy
            .zones()
            .into_iter()
            .fold(with_roots, |zones, zone| zones.zone(zone))
            .open(&ambient)?;
        Ok(Self::new(toolbox, policy, Resolver::new(zones, ambient)))
    }
    /// A classifier over a resolver that was opened elsewhere with [`Policy::zones`]. When a zone of the policy is not
    /// among those of the resolver its rule could not match anything, and every call is denied.
    #[must_use]
    pub fn new(toolbox: Toolbox, policy: Policy, resolver: Resolver) -> Self {
        let unopened = policy
            .zones()
            .into_iter()
            .map(|zone| zone.id)
            .find(|id| !resolver.zone_ids().any(|opened| opened == id));
        Self {
            toolbox,
            policy,
            resolver,
            unopened,
            trusted: Vec::new(),
            searched: Cache::default(),
        }
    }
    /// The same, with a clock in milliseconds: what a search finds below a directory is remembered for a second, or until a
    /// call that may write is judged. Without a clock it is looked each time.
    #[must_use]
    pub fn with_clock(mut self, now: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.searched = Cache::with_clock(now);
        self
    }
    /// The same, for projects that are trusted to run their own code: builds, tests and scripts in these workspace roots,
    /// counted from 0 in the order in which they were given, run unasked. Without it they ask.
    #[must_use]
    pub fn with_trusted(mut self, roots: impl IntoIterator<Item = usize>) -> Self {
        self.trusted = roots.into_iter().collect();
        self
    }
    /// Judges one call. It never fails: what cannot be judged is denied.
    #[must_use]
    pub fn assess(&self, call: Call) -> Assessment {
        let Findings {
            effects,
            mut causes,
            texts,
            fault,
        } = self.find(&call);
        causes.extend(self.policy.call_causes(call.tool()));
        if effects.iter().any(|effect| may_write(effect.kind)) {
            self.searched.clear();
        }
        let verdict = Verdict::join(causes);
        let denial = (verdict.risk() == Risk::Deny).then(|| fault.unwrap_or(Denial::Policy));
        Assessment {
            call,
            effects,
            verdict,
            denial,
            texts,
            policy: self.policy.version().to_owned(),
        }
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

    fn find(&self, call: &Call) -> Findings {
        let Some(tool) = self.toolbox.get(call.tool()) else {
            let text = format!("no tool named `{}` is registered", show::told(call.tool()));
            return Findings::refused(Denial::UnknownTool, rules::TOOL_UNKNOWN.because(&text));
        };
        if let Err(fault) = tool.check(call.arguments()) {
            let text = format!("the arguments do not fit the tool: {fault}");
            return Findings::refused(Denial::BadArguments, rules::ARGUMENTS_BAD.because(&text));
        }
        if let Some(id) = &self.unopened {
            let text = format!("the place of rule `{id}` was not opened, so that it protects nothing");
            return Findings::refused(Denial::Policy, rules::ZONE_UNOPENED.because(&text));
        }
        let listings = Listings::default();
        let judge = self.judge(call, tool, &listings);
        Gather::new(judge).run().reviewed(judge).guarded(judge)
    }

    fn judge<'a>(&'a self, call: &'a Call, tool: &'a ToolSpec, listings: &'a Listings) -> Judge<'a> {
        Judge {
            call,
            tool,
            policy: &self.policy,
            resolver: &self.resolver,
            trusted: &self.trusted,
            searched: &self.searched,
            listings,
            named: Named::default(),
        }
    }
}
