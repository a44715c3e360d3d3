#![doc = include_str!("../README.md")]

mod project;

pub use project::{Decision, Override, TrustedProject, decide};
