use super::job::run;
use crate::{Permit, Refusal, ToolResult};

pub(super) const NAME: &str = "read_file";

/// Reads a text file.
///
/// # Errors
/// As [`super::perform`].
pub fn read_file(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let target = job.target("path")?;
        job.content(&target)
    })
}
