//! Runs families against a subject.

mod applies;
mod approver;
mod batch;
mod call;
mod desk;
mod events;
mod executor;
mod family;
mod observe;
mod options;
mod people;
mod script;
mod session;
mod subject;
mod suite;
mod told;

pub use options::Options;
pub use suite::{Outcome, run};

pub(crate) use observe::{Asked, Seen, SessionSeen, StepSeen};
pub(crate) use options::Told;
pub(crate) use subject::Subject;
