//! May this project change the agent?

mod project;

pub use project::{Decision, Override, TrustedProject, decide};
