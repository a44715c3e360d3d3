use super::job::{Failure, run};
use crate::{Permit, Refusal, ToolResult, shown};

pub(super) const NAME: &str = "make_dir";

/// Makes a directory and its missing parents.
///
/// # Errors
/// As [`super::perform`].
pub fn make_dir(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let target = job.target("path")?;
        let place = shown::whole_place(target.place());
        target.make_dir().map_err(|error| Failure::of_part(&error))?;
        Ok(format!("made the directory `{place}`"))
    })
}
