use std::fmt;

use portcullis_audit::DecidedBy;
use portcullis_classify::{Cause, Risk};

use crate::{ToolResult, shown};
use portcullis_paths::visible;

/// Why a call did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    kind: RefusalKind,
    causes: Vec<Cause>,
    note: Option<String>,
    effect_happened: bool,
}

/// The closed list of reasons; one is never reported as another (invariant 12).
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
    /// Something of ours failed; the call did not run, unless [`Refusal::effect_happened`] says that only its
    /// outcome could not be recorded.
    Fault,
}

impl RefusalKind {
    /// Every kind, in the order of the list.
    pub const ALL: [Self; 11] = [
        Self::UnknownTool,
        Self::BadArguments,
        Self::Policy,
        Self::DeniedByHuman,
        Self::DeniedByReviewer,
        Self::Timeout,
        Self::NoApprover,
        Self::Cancelled,
        Self::CircuitOpen,
        Self::Changed,
        Self::Fault,
    ];

    /// The machine code, as records and reports write it: `unknown_tool`, `bad_arguments`, `policy`,
    /// `denied_by_human`, `denied_by_reviewer`, `timeout`, `no_approver`, `cancelled`, `circuit_open`,
    /// `changed`, `fault`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::BadArguments => "bad_arguments",
            Self::Policy => "policy",
            Self::DeniedByHuman => "denied_by_human",
            Self::DeniedByReviewer => "denied_by_reviewer",
            Self::Timeout => "timeout",
            Self::NoApprover => "no_approver",
            Self::Cancelled => "cancelled",
            Self::CircuitOpen => "circuit_open",
            Self::Changed => "changed",
            Self::Fault => "fault",
        }
    }

    /// Who said so, for the record.
    pub(crate) fn by(self) -> DecidedBy {
        match self {
            Self::UnknownTool | Self::BadArguments | Self::Policy => DecidedBy::Policy,
            Self::DeniedByHuman => DecidedBy::Human,
            Self::DeniedByReviewer => DecidedBy::Reviewer,
            Self::Timeout
            | Self::NoApprover
            | Self::Cancelled
            | Self::CircuitOpen
            | Self::Changed
            | Self::Fault => DecidedBy::Nobody,
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::UnknownTool => "not run: no tool of that name is registered",
            Self::BadArguments => "not run: the arguments do not fit the tool",
            Self::Policy => "not run: the policy denies it",
            Self::DeniedByHuman => "not run: a person said no",
            Self::DeniedByReviewer => "not run: a reviewer said no",
            Self::Timeout => "not run: it has to be approved and nobody answered in time",
            Self::NoApprover => "not run: it has to be approved and there is nobody to ask",
            Self::Cancelled => "not run: it was cancelled",
            Self::CircuitOpen => {
                "not run: it has to be approved and too many refusals in a row ended the asking"
            }
            Self::Changed => "not run: what would run is no longer what was approved",
            Self::Fault => "not run: the gate itself failed",
        }
    }
}

/// Longest reason of an approver that is passed on, in characters.
const LONGEST_NOTE: usize = 500;

impl Refusal {
    pub(crate) fn new(kind: RefusalKind) -> Self {
        Self {
            kind,
            causes: Vec::new(),
            note: None,
            effect_happened: false,
        }
    }

    pub(crate) fn fault(what: &'static str) -> Self {
        Self::new(RefusalKind::Fault).with_note(what)
    }

    /// The effect is done and cannot be taken back; what failed is its record.
    pub(crate) fn outcome_not_recorded() -> Self {
        Self {
            effect_happened: true,
            ..Self::fault("the outcome could not be recorded")
        }
    }

    pub(crate) fn with_causes(self, causes: Vec<Cause>) -> Self {
        Self { causes, ..self }
    }

    pub(crate) fn with_note(self, note: &str) -> Self {
        let note = shown::text(note.trim(), LONGEST_NOTE);
        Self {
            note: (!note.is_empty()).then_some(note),
            ..self
        }
    }

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
    /// What the one who refused said, or what failed: escaped and bounded.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
    /// True only for a `Fault` that came after the effect: it ran, and its outcome could not be recorded.
    #[must_use]
    pub fn effect_happened(&self) -> bool {
        self.effect_happened
    }
    /// The result the model gets: an error with one true sentence.
    #[must_use]
    pub fn into_tool_result(self) -> ToolResult {
        ToolResult::error(self.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.effect_happened {
            return f.write_str("the call ran, but its outcome could not be recorded");
        }
        // What asked for a confirmation is not what refused.
        if let Some(cause) = self.causes.iter().find(|cause| cause.risk == Risk::Deny) {
            let opening = match self.kind {
                RefusalKind::Policy if !is_about_a_path(cause) => self.kind.sentence(),
                // The rule's own sentence says it all: that there is no such tool, argument or file.
                _ => "not run",
            };
            write!(f, "{opening}: {}", visible(&cause.text, LONGEST_NOTE))?;
            // A refusal must not tell what is protected from what is not there (R15).
            if cause.reticent {
                return Ok(());
            }
            let rule = visible(&cause.rule, 100);
            return write!(f, " (rule `{rule}`, {} layer)", cause.layer.word());
        }
        match (&self.note, self.kind) {
            (None, kind) => f.write_str(kind.sentence()),
            // The note says which of the kind's cases it is.
            (Some(note), RefusalKind::UnknownTool | RefusalKind::BadArguments) => {
                write!(f, "not run: {note}")
            }
            (Some(note), kind) => write!(f, "{}: {note}", kind.sentence()),
        }
    }
}

impl std::error::Error for Refusal {}

fn is_about_a_path(cause: &Cause) -> bool {
    cause.reticent || cause.rule.starts_with("path.")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use portcullis_classify::Layer;

    use super::*;

    #[test]
    fn every_kind_has_its_own_code_and_sentence() {
        let codes: BTreeSet<_> = RefusalKind::ALL.map(RefusalKind::code).into();
        let sentences: BTreeSet<_> = RefusalKind::ALL.map(RefusalKind::sentence).into();
        assert_eq!(codes.len(), RefusalKind::ALL.len());
        assert_eq!(sentences.len(), RefusalKind::ALL.len());
        for kind in RefusalKind::ALL {
            assert!(kind.code().chars().all(|c| c == '_' || c.is_ascii_lowercase()));
            // A code is the variant's own name, so that the log and the type cannot drift apart.
            let variant = format!("{kind:?}").to_lowercase();
            assert_eq!(kind.code().replace('_', ""), variant);
        }
    }

    #[test]
    fn the_model_gets_an_error_with_the_words_of_the_one_who_said_no() {
        let refusal = Refusal::new(RefusalKind::DeniedByHuman).with_note(" use\u{1b}[31m git rm ");
        let result = refusal.into_tool_result();
        assert!(result.is_error);
        assert_eq!(result.text, "not run: a person said no: use\\u{1b}[31m git rm");
    }

    #[test]
    fn an_effect_that_happened_is_never_reported_as_not_run() {
        let text = Refusal::outcome_not_recorded().into_tool_result().text;
        assert_eq!(text, "the call ran, but its outcome could not be recorded");
    }

    /// R15: the log knows which rule it was, the model does not.
    #[test]
    fn a_reticent_cause_keeps_its_rule_from_the_model() {
        let cause = |rule: &str| Cause::new(rule, Layer::User, Risk::Deny, "it is outside or protected");
        let told = |cause| {
            let causes = vec![cause];
            Refusal {
                causes,
                ..Refusal::new(RefusalKind::Policy)
            }
            .into_tool_result()
            .text
        };
        assert_eq!(
            told(cause("keys").reticent()),
            told(cause("path.protected").reticent())
        );
        assert!(told(cause("keys")).ends_with("it is outside or protected (rule `keys`, user layer)"));
    }

    #[test]
    fn a_note_is_bounded() {
        let refusal = Refusal::new(RefusalKind::DeniedByReviewer).with_note(&"x".repeat(1 << 20));
        assert!(refusal.to_string().len() < 700);
    }
}
