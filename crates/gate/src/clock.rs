/// A point on a monotonic clock, in milliseconds since an arbitrary start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub u64);

/// The clocks of the program, handed in.
pub trait Clock: Send + Sync {
    /// The monotonic clock: deadlines and expiries.
    fn now(&self) -> Moment;
    /// The wall clock, milliseconds since the Unix epoch: records only.
    fn wall_ms(&self) -> i64;
}
