//! What programs do with their words: tables of options and operands as data, and the reading of a command by them.
//!
//! A program that no table names, and an option that its table does not name, are not understood; nothing here guesses.

mod argument;
mod fact;
mod form;
mod grammar;
mod program;
mod reading;
mod role;
mod table;

pub(crate) use argument::Argument;
pub(crate) use fact::Fact;
pub(crate) use grammar::read;

pub(crate) use reading::{Act, Reading};
pub(crate) use role::Role;
pub(crate) use table::Table;

#[cfg(test)]
mod tests;
