//! The home of the clocks: the one module of the libraries that asks the system for the time.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use portcullis_gate::{Clock, Moment};

/// The clocks of this machine. A program makes one and hands it to its gate.
#[derive(Debug, Clone)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose first moment is now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the home of the monotonic clock")]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        Moment(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    #[expect(clippy::disallowed_methods, reason = "the home of the wall clock")]
    fn wall_ms(&self) -> i64 {
        // A machine that is set before 1970 records 1970: a record's time is for readers, its order is the chain.
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
