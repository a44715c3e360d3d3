use std::time::Duration;

use crate::BreakerSettings;

/// How a gate behaves; risk is the policy's, not a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Silence becomes no after this long.
    pub deadline: Duration,
    /// Largest file that the built-in tools read or write, in bytes.
    pub file_limit: u64,
    /// Most names that the built-in listing returns.
    pub list_limit: usize,
    /// Whose grants these are.
    pub user: String,
    /// When asking ends.
    pub breaker: BreakerSettings,
}

impl Settings {
    /// Five minutes to answer, files of 16 MiB, listings of 2000 names.
    #[must_use]
    pub fn for_user(user: impl Into<String>) -> Self {
        Self {
            deadline: Duration::from_secs(300),
            file_limit: 16 << 20,
            list_limit: 2000,
            user: user.into(),
            breaker: BreakerSettings::default(),
        }
    }
}
