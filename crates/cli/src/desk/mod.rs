//! The desk: one place where a person answers for any number of agents.
//!
//! [`board`] decides what an answer is worth; around it stand three ways to answer (the screen, the page, and
//! `portcullis ask`), and the one way to ask (a gate's connection). The protocol is described with `portcullis::desk`.

mod board;
mod choice;
mod gates;
mod hall;
mod lines;
mod people;
mod person;
mod screen;
mod server;
mod web;
mod words;

pub(crate) use hall::Hall;
pub(crate) use person::{Person, not_understood};
pub(crate) use screen::run as show;
pub(crate) use server::open as listen;
pub(crate) use web::{Doors, VISIT, bind as bind_page, serve as serve_page};
pub(crate) use words::{causes, commands, heading, not_taken, span};
