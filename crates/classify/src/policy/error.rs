use portcullis_paths::visible;

/// Why layers cannot be joined: one sentence, and a hint that says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct PolicyError {
    kind: PolicyErrorKind,
    rule: String,
    text: String,
    hint: &'static str,
}

/// The small set of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PolicyErrorKind {
    /// An id is empty, unreadable, reserved or used twice.
    Id,
    /// A rule tries to allow.
    Loosens,
    /// A rule says nothing about what it is about, or can never match.
    Subject,
    /// A path is neither absolute nor begins with `~/`.
    Place,
    /// What is said of a program is not clear.
    Program,
}

impl PolicyError {
    pub(super) fn new(kind: PolicyErrorKind, rule: &str, text: &str, hint: &'static str) -> Self {
        Self::about(kind, "rule", rule, text, hint)
    }

    /// What is wrong with something that is no rule: `what` says what it is.
    pub(super) fn about(kind: PolicyErrorKind, what: &str, id: &str, text: &str, hint: &'static str) -> Self {
        let rule = visible(id, 100);
        Self {
            kind,
            text: format!("{what} `{rule}` {text}"),
            rule,
            hint,
        }
    }

    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> PolicyErrorKind {
        self.kind
    }
    /// The id of the rule or zone that is wrong, escaped.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }
    /// What to write instead.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        self.hint
    }
}
