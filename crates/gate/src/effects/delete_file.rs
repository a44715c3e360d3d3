use portcullis_paths::{FileKind, State, TreeLimits};

use super::job::{Failure, count, run};
use crate::{Permit, Refusal, ToolResult, shown};

pub(super) const NAME: &str = "delete_file";

/// Removes a file, a link itself, or an empty directory; with `recursive` a directory and everything below it.
///
/// # Errors
/// As [`super::perform`].
pub fn delete_file(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let recursive = job.flag("recursive")?;
        let target = job.target("path")?;
        let place = shown::whole_place(target.place());
        if recursive && target.state() == State::Existing(FileKind::Dir) {
            let removed = target
                .remove_tree(&TreeLimits::default())
                .map_err(|error| Failure::of_part(&error))?;
            return Ok(format!(
                "deleted `{place}`: {} and {}",
                count(removed.files, "file", "files"),
                count(removed.dirs, "directory", "directories")
            ));
        }
        target.remove().map_err(|error| Failure::of_step(&error))?;
        Ok(format!("deleted `{place}`"))
    })
}
