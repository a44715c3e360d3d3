use std::collections::BTreeMap;

use portcullis_paths::Zone;

use super::{Levels, Rule};
use crate::{Layer, NameGroup, ProgramEntry, Risk};

/// The base from which rules tighten. Presets of several layers join to the stricter.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Deserialize, serde::Serialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Preset {
    /// Writing and editing inside the workspace run unasked.
    #[default]
    Everyday,
    /// Writing and editing inside the workspace ask.
    Careful,
}

impl Preset {
    /// All presets, mildest first.
    pub const ALL: [Self; 2] = [Self::Everyday, Self::Careful];

    /// `everyday`, `careful`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Everyday => "everyday",
            Self::Careful => "careful",
        }
    }
    /// The preset that [`Preset::word`] writes so; letter case matters.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.word() == word)
    }
}

/// What one layer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerRules {
    /// Which layer.
    pub layer: Layer,
    /// Its preset, when it names one.
    pub preset: Option<Preset>,
    /// What happens to whatever the built-in defaults only ask about and no rule or zone of this layer names: `Deny`, or
    /// the question that it is anyway. A rule of a layer takes its subject out of that layer's own default, and out of
    /// no other's.
    pub otherwise: Option<Risk>,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// Its zones (`deny_read`, `deny_write`, `confirm_read`, `confirm_write`).
    pub zones: Vec<Zone>,
    /// Why the zones are there, by zone id, for the person who is asked.
    pub reasons: BTreeMap<String, String>,
    /// Groups of the catalogue of private and sensitive names that do not ask. A project cannot say this.
    pub off: Vec<String>,
    /// Names that are private or sensitive besides those of the catalogue.
    pub names: Vec<NameGroup>,
    /// Names that are taken out of the catalogue's groups of the same ids. A project cannot say this.
    pub removed: Vec<NameGroup>,
    /// What programs do with their words. A user's entry explains a program that is not known, or in place of what is
    /// known; a project's or a run's only adds to what its command does anyway.
    pub programs: Vec<ProgramEntry>,
    /// How much of tools' parameters is asked about.
    pub levels: Levels,
    /// The layer could not be read: everything it could have tightened is confirmed, with this reason.
    pub broken: Option<String>,
}

impl LayerRules {
    /// A layer that says nothing.
    #[must_use]
    pub fn empty(layer: Layer) -> Self {
        Self {
            layer,
            preset: None,
            otherwise: None,
            rules: Vec::new(),
            zones: Vec::new(),
            reasons: BTreeMap::new(),
            off: Vec::new(),
            names: Vec::new(),
            removed: Vec::new(),
            programs: Vec::new(),
            levels: Levels::default(),
            broken: None,
        }
    }
    /// A layer that could not be read, and why, in one sentence.
    #[must_use]
    pub fn broken(layer: Layer, reason: impl Into<String>) -> Self {
        Self {
            broken: Some(reason.into()),
            ..Self::empty(layer)
        }
    }
}
