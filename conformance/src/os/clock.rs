use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The monotonic clock.
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Seconds since 1970.
pub(crate) fn seconds() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
}
