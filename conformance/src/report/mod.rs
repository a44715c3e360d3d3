//! Results: one file of JSON lines, and everything that is made from it.

mod column;
mod date;
mod html;
mod junit;
mod lines;
mod markdown;
mod matrix;
mod model;
mod table;

pub use column::{Column, Family, NotRun, Standing, Tally};
pub use html::{Depth, page};
pub use junit::junit;
pub use lines::{read, write};
pub use markdown::markdown;
pub use matrix::{Entry, Matrix, judged_commands};
pub use model::{Counts, Header, Report, Row, Status};
pub use table::table;

/// What is said of the policy when nothing was noted.
const NO_NOTE: &str = "as each family says";

#[cfg(test)]
mod tests;
