//! What can be done with a target: each verb acts through the held handle, never by the path.
//!
//! A verb first asks whether the target was judged for it (R11), then compares the held facts with what is there
//! now (R10), then acts on one name below a held directory (R9). Between comparing and acting one system call's
//! width stays open to whoever may write in that directory himself; such places say `RACE`.

mod check;
mod create_new;
mod list;
mod look_below;
mod make_dir;
mod open;
mod ownership;
mod raw;
mod read;
mod remove;
mod remove_tree;
mod rename;
mod replace;
mod sync;
mod tail;
mod temporary;
#[cfg(test)]
mod tests;
mod working_dir;
mod write_in_place;

pub(crate) use list::Names;
pub use list::{Listing, ListingEntry};
pub use look_below::{LookOn, Looked};
pub use remove_tree::{Removed, TreeLimits};
