use std::path::Path;

use crate::Resources;

/// Somebody who may decide before a person is asked: an organisation's list, an extension of the host.
pub trait Decider {
    /// How reports name it.
    fn name(&self) -> &str;

    /// Decides, or leaves it to the next. An error is a no, and so is a panic.
    ///
    /// # Errors
    /// Whatever keeps it from deciding.
    fn decide(
        &mut self,
        project: &Path,
        resources: &Resources,
    ) -> Result<Say, Box<dyn std::error::Error + Send + Sync>>;
}

/// What a decider says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "anything else is a no")]
pub enum Say {
    /// Trusted.
    Yes,
    /// Not trusted.
    No,
    /// The next one decides.
    Undecided,
}
