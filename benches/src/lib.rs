//! Ratios to a floor measured in the same run.
//!
//! Absolute times say more about a machine than about a program, so none is reported but where a goal is one: every
//! number is the median of a subject divided by the median of its floor, both measured turn by turn in one process. See
//! `README.md`.
#![expect(
    clippy::expect_used,
    reason = "a bench that cannot build its scene has nothing to measure"
)]

mod book;
mod case;
mod commands;
mod floor;
mod hook;
mod ledger;
mod scene;
mod shapes;
mod table;
mod turns;
mod verdicts;
mod ways;

pub use book::Book;
pub use case::Case;
pub use commands::{corpus, everyday, is_absolute, long};
pub use floor::Floor;
pub use hook::{Hook, Journal};
pub use scene::Scene;
pub use shapes::HostileShape;
pub use table::Table;
pub use turns::{Clock, Subject, least, medians};
pub use verdicts::Verdicts;
pub use ways::Ways;
