//! The gate between an AI agent and the machine it works on.

pub mod config;

pub use portcullis_classify::{Layer, LayerRules, Preset, Risk};
pub use portcullis_paths::ZoneKind;
pub use portcullis_trust::{Decision, Override, decide as decide_trust};
