//! What the built-in file tools do. Each takes a [`Permit`] by value.

use crate::{Permit, Refusal};

/// What the model gets back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call did not run, or failed.
    pub is_error: bool,
    /// Text for the model.
    pub text: String,
}

/// Performs the permitted call when it is one of `read_file write_file edit_file delete_file move_file make_dir
/// list_dir`, and records the outcome.
///
/// # Errors
/// `Changed` or `Cancelled` before anything happened; `UnknownTool` for a tool that is not performed here;
/// `Fault` when the outcome could not be recorded. A failure of the effect itself is a `ToolResult` with
/// `is_error`.
pub fn perform(permit: Permit) -> Result<ToolResult, Refusal> {
    let _ = permit;
    todo!()
}
