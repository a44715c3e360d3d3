#![doc = include_str!("../README.md")]

mod decide;
mod disk;
mod error;
mod profile;
mod project;
mod resources;
mod store;

pub use decide::{Choice, Decider, Fallback, Inquiry, Interface, Outcome, Prompt, Say, Session, Source};
pub use error::{Error, ErrorKind};
pub use profile::Profile;
pub use project::{Decision, Override, TrustedProject, decide};
pub use resources::{Fingerprint, Resource, Resources};
pub use store::{Nearest, Save, Saved, Store};
