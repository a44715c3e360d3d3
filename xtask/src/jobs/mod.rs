//! One file for each job of CI, and for the tasks that are not part of it.

pub(crate) mod bench;
pub(crate) mod books;
pub(crate) mod browser;
pub(crate) mod deps;
pub(crate) mod docs;
pub(crate) mod fuzz;
pub(crate) mod lint;
pub(crate) mod readme;
pub(crate) mod test;
pub(crate) mod tidy;
