use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A point on a monotonic clock, in milliseconds since an arbitrary start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub u64);

impl Moment {
    /// The moment that much later; the end of time when there is none.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(milliseconds(wait)))
    }
    /// How long it is from `earlier` to here; zero when it is past.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

pub(crate) fn milliseconds(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)
}

/// The clocks of the program, handed in.
pub trait Clock: Send + Sync {
    /// The monotonic clock: deadlines and expiries.
    fn now(&self) -> Moment;
    /// The wall clock, milliseconds since the Unix epoch: records only.
    fn wall_ms(&self) -> i64;
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Moment {
        (**self).now()
    }
    fn wall_ms(&self) -> i64 {
        (**self).wall_ms()
    }
}

/// A clock that stands still until it is moved: replays and tests. Clones show the same time.
///
/// ```
/// use std::time::Duration;
/// use portcullis_gate::{Clock as _, Moment, StillClock};
///
/// let clock = StillClock::at(Moment(5));
/// let same = clock.clone();
/// clock.advance(Duration::from_secs(1));
/// assert_eq!(same.now(), Moment(1005));
/// ```
#[derive(Debug, Clone)]
pub struct StillClock(Arc<AtomicU64>);

impl StillClock {
    /// A clock that shows this moment. Its wall clock shows the same number.
    #[must_use]
    pub fn at(moment: Moment) -> Self {
        Self(Arc::new(AtomicU64::new(moment.0)))
    }
    /// Moves it on; it never goes back.
    pub fn advance(&self, by: Duration) {
        self.move_to(self.now().after(by));
    }
    /// Moves it to this moment, unless that is past already.
    pub fn move_to(&self, moment: Moment) {
        self.0.fetch_max(moment.0, Ordering::SeqCst);
    }
}

impl Clock for StillClock {
    fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::SeqCst))
    }
    fn wall_ms(&self) -> i64 {
        i64::try_from(self.now().0).unwrap_or(i64::MAX)
    }
}
