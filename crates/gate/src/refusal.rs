use portcullis_classify::Cause;

use crate::ToolResult;

/// Why a call did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    kind: RefusalKind,
    causes: Vec<Cause>,
}

/// The closed list of reasons; one is never reported as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "closed on purpose: a new reason must break the build"
)]
pub enum RefusalKind {
    /// No tool of that name is registered.
    UnknownTool,
    /// The input is not a call, or its arguments do not fit the tool.
    BadArguments,
    /// The rules deny it.
    Policy,
    /// A person said no.
    DeniedByHuman,
    /// A model reviewer said no.
    DeniedByReviewer,
    /// Nobody answered in time.
    Timeout,
    /// There was nobody to ask.
    NoApprover,
    /// The run was cancelled.
    Cancelled,
    /// Too many refusals in a row: nothing is asked any more.
    CircuitOpen,
    /// What would run is not what was approved.
    Changed,
    /// Something of ours failed; the call did not run.
    Fault,
}

impl RefusalKind {
    /// The machine code: `unknown_tool`, `bad_arguments`, `policy`, `denied_by_human`, ...
    #[must_use]
    pub fn code(self) -> &'static str {
        todo!()
    }
}

impl Refusal {
    /// The reason.
    #[must_use]
    pub fn kind(&self) -> RefusalKind {
        self.kind
    }
    /// The rules behind it, strictest first; empty when no rule is.
    #[must_use]
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }
    /// The result the model gets: an error with one true sentence.
    #[must_use]
    pub fn into_tool_result(self) -> ToolResult {
        todo!()
    }
}
