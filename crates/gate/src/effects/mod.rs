//! What the built-in tools do. Each takes a [`Permit`] by value, and acts through the held handles of the permit's
//! targets, never by a name.

mod delete_file;
mod edit_file;
mod job;
mod list_dir;
mod make_dir;
mod move_file;
mod read_file;
mod result;
mod run_command;
mod write_file;

pub use delete_file::delete_file;
pub use edit_file::edit_file;
pub use list_dir::list_dir;
pub use make_dir::make_dir;
pub use move_file::move_file;
pub use read_file::read_file;
pub use result::{Exit, ToolResult};
pub use run_command::run_command;
pub use write_file::write_file;

use crate::{Permit, Refusal};

/// Performs the permitted call when it is one of `read_file write_file edit_file delete_file move_file make_dir
/// list_dir run_command`, and records the outcome.
///
/// # Errors
/// `Changed` or `Cancelled` before anything happened; `UnknownTool` for a tool that is not performed here;
/// `Fault` when the effect panicked or the outcome could not be recorded. A failure of the effect itself is a
/// `ToolResult` with `is_error`.
pub fn perform(permit: Permit) -> Result<ToolResult, Refusal> {
    match permit.call().tool() {
        read_file::NAME => read_file(permit),
        write_file::NAME => write_file(permit),
        edit_file::NAME => edit_file(permit),
        delete_file::NAME => delete_file(permit),
        move_file::NAME => move_file(permit),
        make_dir::NAME => make_dir(permit),
        list_dir::NAME => list_dir(permit),
        run_command::NAME => run_command(permit),
        _ => Err(job::not_performed_here()),
    }
}
