//! The world of one variant: a tree of files, fresh tokens, and a control directory beside it.

mod act;
mod build;
mod effect;
mod mounts;
mod older;
mod save;
mod snapshot;
mod text;

pub(crate) use act::spoil;
pub(crate) use build::Sandbox;
pub(crate) use effect::{Declared, declared, differences, was_there};
pub(crate) use snapshot::{Change, Snapshot};
