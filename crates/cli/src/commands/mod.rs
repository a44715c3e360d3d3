//! One file for each command.

pub(crate) mod ask;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod desk;
pub(crate) mod grants;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod log;
pub(crate) mod subject;
pub(crate) mod trust;
