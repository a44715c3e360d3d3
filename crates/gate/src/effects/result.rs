/// What the model gets back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call did not run, or failed.
    pub is_error: bool,
    /// Text for the model.
    pub text: String,
}

impl ToolResult {
    /// The call ran and did what it says.
    #[must_use]
    pub fn done(text: impl Into<String>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
        }
    }
    /// The call did not run, or failed.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            text: text.into(),
        }
    }
}
