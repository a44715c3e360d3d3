use std::path::PathBuf;

use portcullis_paths::Zone;

use crate::{EffectKind, Layer, Risk};

/// The base from which rules tighten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Preset {
    /// Writing and editing inside the workspace run unasked.
    #[default]
    Everyday,
    /// Writing and editing inside the workspace ask.
    Careful,
}

/// What a rule is about; every member that is set must match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleSubject {
    /// The tool's exact name.
    pub tool: Option<String>,
    /// The kind of effect.
    pub operation: Option<EffectKind>,
    /// A place, absolute or beginning with `~/`: the target is it, is below it, or takes a subtree that
    /// contains it.
    pub under: Option<PathBuf>,
    /// The first words of a command, exactly.
    pub command: Option<Vec<String>>,
}

/// One rule. It can only tighten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Unique id, reported as the cause.
    pub id: String,
    /// What it is about.
    pub subject: RuleSubject,
    /// `Confirm` or `Deny`.
    pub risk: Risk,
    /// Why, for the person who is asked.
    pub because: String,
}

/// What one layer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerRules {
    /// Which layer.
    pub layer: Layer,
    /// Its preset, when it names one.
    pub preset: Option<Preset>,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// Its zones (`deny_read`, `deny_write`, `confirm_read`, `confirm_write`).
    pub zones: Vec<Zone>,
    /// The layer could not be read: everything it could have tightened is confirmed, with this reason.
    pub broken: Option<String>,
}

/// All layers, joined.
#[derive(Debug, Clone)]
pub struct Policy {}

impl Policy {
    /// Joins layers; the built-in one is always there.
    ///
    /// # Errors
    /// A rule with risk `Allow`, without a subject, or with an id used twice.
    pub fn join(layers: Vec<LayerRules>) -> Result<Self, PolicyError> {
        let _ = layers;
        todo!()
    }
    /// Zones to open the resolver with: those of the layers and one `Named` zone for each rule with `under`.
    #[must_use]
    pub fn zones(&self) -> Vec<Zone> {
        todo!()
    }
    /// SHA-256 over everything that decides, in hexadecimal: the policy's version.
    #[must_use]
    pub fn version(&self) -> &str {
        todo!()
    }
}

/// Why layers cannot be joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PolicyError(pub(crate) String);
