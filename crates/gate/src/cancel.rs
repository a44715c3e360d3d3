use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that a host raises to stop a call: before, while it is asked about, or before its permit is used.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is down.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Raises it, for good.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
    /// Whether it was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
