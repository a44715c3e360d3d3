//! Our own gate as a subject of the conformance suite: a thin shim over the facade that adds no decision of its own.
//!
//! It translates the neutral words of `conformance/PROTOCOL.md` into a user's policy file, a project's policy file
//! and calls of our tools, and translates back what the gate says. The rest is the gate that `portcullis call` runs.

mod approver;
mod base64;
mod desk;
mod errand;
mod export;
mod fake;
mod hook;
mod known;
mod load;
mod policy;
mod reading;
mod run;
mod serve;
mod session;
mod wire;
mod words;

pub(crate) use export::export;
pub(crate) use hook::set_up_hook;
pub(crate) use serve::serve;
