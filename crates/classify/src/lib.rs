//! What would this call do, and how risky is that?

mod assess;
mod call;
mod effect;
mod policy;
mod risk;
mod show;
mod toolbox;

pub use assess::{Assessment, Classifier, Denial};
pub use call::{Call, CallError, CallErrorKind, Digest, Limits, Session, Shape};
pub use effect::{Effect, EffectKind};
pub use policy::{LayerRules, Policy, PolicyError, PolicyErrorKind, Preset, Rule, RuleSubject};
pub use risk::{Cause, Layer, Risk, Verdict};
pub use toolbox::{
    ArgumentFault, GlobReach, Language, Operand, Role, ToolError, ToolSpec, Toolbox, When, glob_reach,
};
