//! Results: one file of JSON lines, and everything that is made from it.

mod html;
mod junit;
mod lines;
mod model;
mod table;

pub use html::page;
pub use junit::junit;
pub use lines::{read, write};
pub use model::{Counts, Header, Report, Row, Status};
pub use table::table;

#[cfg(test)]
mod tests;
