//! Subjects made of straw: one honest and simple reference gate, and liars that are it with one fault each.
//!
//! They are the test of the suite: the reference passes every family, each liar fails the families that the committed
//! matrix names. Nothing here is shared with the gate of this workspace.

mod arguments;
mod ask;
mod books;
mod commands;
pub(crate) mod consulted;
mod gate;
mod lie;
mod log;
mod names;
mod perform;
mod place;
mod programs;
mod review;
mod rules;
mod serve;
mod strict;

pub use lie::Lie;
pub use serve::serve;
