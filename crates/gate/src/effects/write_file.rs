use portcullis_paths::State;

use super::job::{Failure, count, run};
use crate::{Permit, Refusal, ToolResult, shown};

pub(super) const NAME: &str = "write_file";

/// Replaces or creates a text file, atomically.
///
/// # Errors
/// As [`super::perform`].
pub fn write_file(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let target = job.target("path")?;
        let content = job.text("content")?;
        job.fits(content)?;
        let place = shown::whole_place(target.place());
        // Missing parents are made level by level: a failure may come after the first of them.
        let whole = !matches!(target.state(), State::Missing { names: 2.. });
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        target.replace(content.as_bytes()).map_err(|error| {
            if whole {
                Failure::of_step(&error)
            } else {
                Failure::of_part(&error)
            }
        })?;
        Ok(format!("wrote {} to `{place}`", count(length, "byte", "bytes")))
    })
}
