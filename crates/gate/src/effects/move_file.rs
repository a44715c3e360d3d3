use super::job::{Failure, run};
use crate::{Permit, Refusal, ToolResult, shown};

pub(super) const NAME: &str = "move_file";

/// Renames to a name that must not exist yet.
///
/// # Errors
/// As [`super::perform`].
pub fn move_file(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let from = job.target("from")?;
        let to = job.target("to")?;
        let (old, new) = (shown::whole_place(from.place()), shown::whole_place(to.place()));
        from.rename_to(to).map_err(|error| Failure::of_step(&error))?;
        Ok(format!("moved `{old}` to `{new}`"))
    })
}
