/// What the model gets back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call did not run, or failed.
    pub is_error: bool,
    /// Text for the model.
    pub text: String,
    /// How a command ended that was started, whatever came of it; nothing for every other tool.
    pub exit: Option<Exit>,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exit {
    /// What it said itself; 0 is success.
    pub code: Option<i32>,
    /// The number of the signal that ended it.
    pub signal: Option<i32>,
}

impl ToolResult {
    /// The call ran and did what it says.
    #[must_use]
    pub fn done(text: impl Into<String>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
            exit: None,
        }
    }
    /// The call did not run, or failed.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            text: text.into(),
            exit: None,
        }
    }
    pub(crate) fn with_exit(self, exit: Exit) -> Self {
        Self {
            exit: Some(exit),
            ..self
        }
    }
}
