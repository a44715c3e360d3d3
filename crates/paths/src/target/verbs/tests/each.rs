//! The verbs as values.

use crate::{Error, Target, TreeLimits};

pub(super) type Verb = fn(Target) -> Result<(), Error>;

pub(super) fn read(target: Target) -> Result<(), Error> {
    target.read(100).map(drop)
}
pub(super) fn open_dir(target: Target) -> Result<(), Error> {
    target.open_dir().map(drop)
}
pub(super) fn list(target: Target) -> Result<(), Error> {
    target.list(100).map(drop)
}
pub(super) fn working_dir(target: Target) -> Result<(), Error> {
    target.working_dir().map(drop)
}
pub(super) fn replace(target: Target) -> Result<(), Error> {
    target.replace(b"new")
}
pub(super) fn write_in_place(target: Target) -> Result<(), Error> {
    target.write_in_place(b"new")
}
pub(super) fn create_new(target: Target) -> Result<(), Error> {
    target.create_new(b"new")
}
pub(super) fn make_dir(target: Target) -> Result<(), Error> {
    target.make_dir()
}
pub(super) fn remove(target: Target) -> Result<(), Error> {
    target.remove()
}
pub(super) fn remove_tree(target: Target) -> Result<(), Error> {
    target.remove_tree(&TreeLimits::default()).map(drop)
}
