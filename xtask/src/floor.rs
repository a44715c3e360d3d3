//! What CI must not fall below. Raise these when tests are added; lowering one wants a reason in the commit.

/// Unit, integration and compile-fail tests of the whole workspace.
pub(crate) const TESTS: u32 = 3800;

/// Examples in the documentation that run.
pub(crate) const DOCTESTS: u32 = 27;

/// Logs that a whole test run leaves.
pub(crate) const LOGS: usize = 500;

/// Fuzz targets.
pub(crate) const FUZZ_TARGETS: usize = 10;
