use crate::{KeyedDigest, Redacted};

/// What every record of one call says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The session, when the host names one.
    pub session: Option<Redacted>,
    /// The call's id.
    pub call: Redacted,
    /// The agent or sub-agent, when the host names one.
    pub agent: Option<Redacted>,
    /// The tool's name.
    pub tool: Redacted,
    /// The operations the call would do, in order, without repeats.
    pub operations: Vec<Redacted>,
    /// The canonical resources, in order, without repeats.
    pub resources: Vec<Redacted>,
    /// The strictest risk.
    pub risk: RiskWord,
    /// Which rules decided.
    pub causes: Vec<CauseText>,
    /// Version (hash) of the policy in force.
    pub policy: Redacted,
    /// Keyed digest of the canonical arguments.
    pub arguments: KeyedDigest,
    /// One line for a reader.
    pub summary: Redacted,
}

/// Risk as the log writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a lattice of three: a new value must break the build"
)]
pub enum RiskWord {
    /// `allow`
    Allow,
    /// `confirm`
    Confirm,
    /// `deny`
    Deny,
}

impl RiskWord {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirm => "confirm",
            Self::Deny => "deny",
        }
    }
}

/// A rule that decided and the layer it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseText {
    /// The rule's id.
    pub rule: Redacted,
    /// The layer's name.
    pub layer: Redacted,
}

/// One thing to record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the log's vocabulary: a new event must break the build"
)]
pub enum Event {
    /// A person or a reviewer is asked; the call has not run.
    Asked(Asked),
    /// The decision; durable before the effect.
    Decided(Decided),
    /// What came of a permitted call.
    Finished(Finished),
}

/// A question went out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// About which call.
    pub subject: Subject,
    /// Milliseconds until silence becomes no.
    pub deadline_ms: u64,
}

/// The decision on a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// About which call.
    pub subject: Subject,
    /// Permitted, handed to the host's own prompt, or refused.
    pub decision: Decision,
    /// Who said so.
    pub by: DecidedBy,
}

/// Whether the call may run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new decision must break the build")]
pub enum Decision {
    /// It may run once.
    Permitted,
    /// The host asks its own user: the answer is not ours to know.
    HandedToHost,
    /// It does not run; the code of the refusal.
    Refused {
        /// The refusal's code, for example `denied_by_human`.
        code: &'static str,
    },
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new authority must break the build")]
pub enum DecidedBy {
    /// Rules alone.
    Policy,
    /// A person's answer.
    Human,
    /// A model reviewer's answer.
    Reviewer,
    /// A remembered grant.
    Grant,
    /// Nobody: a timeout, a missing approver, a cancellation, a fault.
    Nobody,
}

impl DecidedBy {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Human => "human",
            Self::Reviewer => "reviewer",
            Self::Grant => "grant",
            Self::Nobody => "nobody",
        }
    }
}

/// What came of a permitted call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The session, as in the decision.
    pub session: Option<Redacted>,
    /// The call's id.
    pub call: Redacted,
    /// Sequence number of the decision record.
    pub decision: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a permitted call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new outcome must break the build")]
pub enum Outcome {
    /// Done as approved.
    Done,
    /// Tried, and failed; it may have done a part.
    Failed {
        /// One sentence.
        reason: Redacted,
    },
    /// Not started: the arguments or the target had changed since the approval.
    Changed,
    /// The permit was dropped unused.
    Unused,
}
