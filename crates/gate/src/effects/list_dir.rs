use portcullis_paths::{FileKind, ListingEntry, State};

use super::job::{Failure, run};
use crate::{Permit, Refusal, ToolResult};

pub(super) const NAME: &str = "list_dir";

/// Lists the names in a directory, one a line: `name/` is a directory, `name@` a link, `name=` a special file.
///
/// # Errors
/// As [`super::perform`].
pub fn list_dir(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let target = job.target("path")?;
        let listing = target
            .list(job.list_limit)
            .map_err(|error| Failure::of_step(&error))?;
        let mut lines: Vec<String> = listing.entries.iter().map(line).collect();
        if listing.truncated {
            lines.push(format!(
                "(more than {} names; the rest is left out)",
                job.list_limit
            ));
        }
        if lines.is_empty() {
            lines.push("(empty)".to_owned());
        }
        Ok(lines.join("\n"))
    })
}

fn line(entry: &ListingEntry) -> String {
    let mark = match entry.state {
        State::Existing(FileKind::Dir) => "/",
        State::Link => "@",
        State::Existing(FileKind::File) => "",
        _ => "=",
    };
    format!("{}{mark}", entry.name)
}
