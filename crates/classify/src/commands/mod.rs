//! What programs do with their words: tables of options and operands as data, and the reading of a command by them.
//!
//! A program that no table names, and an option that its table does not name, are not understood; nothing here guesses.

mod added;
mod argument;
mod fact;
pub(crate) mod flow;
mod form;
mod grammar;
mod matching;
mod program;
mod reading;
mod role;
mod table;
pub(crate) mod written;

pub use added::{ProgramEntry, Programs};
pub(crate) use argument::{Argument, Value, Values};
pub(crate) use fact::Fact;
#[cfg(test)]
pub(crate) use grammar::counted;
pub(crate) use grammar::{read, read_named};
pub(crate) use matching::{Line, base_name, hands_on, runs, spelled, understand};

pub(crate) use program::Program;
pub(crate) use reading::{Act, Reading};
pub(crate) use role::{PathRole, Role};
pub(crate) use table::Table;

#[cfg(test)]
mod tests;
