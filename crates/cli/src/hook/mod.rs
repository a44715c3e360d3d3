//! Answering an agent that asks before it acts.
//!
//! One rule for all agents: exactly one write to standard output, one JSON object in that agent's own shape, and a
//! deny says so three times (JSON, one line on standard error, exit code 2), because agents differ in which of the
//! three they believe.

mod answer;
pub(crate) mod claude_code;
mod guard;
mod stdout;

pub(crate) use answer::Answer;
pub(crate) use guard::{Failed, More, guarded, silence_panics};
pub(crate) use stdout::RawStdout;

/// What the gate thinks of a call that a host asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Opinion {
    /// The rules allow it.
    Allow {
        /// One sentence.
        reason: String,
    },
    /// A person allowed it: whoever asks again asks twice.
    Approved {
        /// One sentence.
        reason: String,
    },
    /// The host has to ask its user.
    Ask {
        /// One sentence.
        reason: String,
    },
    /// It must not run.
    Deny {
        /// One sentence.
        reason: String,
    },
}
