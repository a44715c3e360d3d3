use std::sync::Arc;

use portcullis_audit::{Error, Event, KeyedDigest, Log, Receipt};

/// Where decisions and outcomes are written. `append` returns when the record is durable.
pub trait Ledger: Send + Sync {
    /// Appends one record.
    ///
    /// # Errors
    /// The record must be taken as not written; the gate then refuses.
    fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error>;
    /// The keyed digest of canonical arguments.
    fn digest(&self, bytes: &[u8]) -> KeyedDigest;
}

impl Ledger for Log {
    fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        Self::append(self, time_ms, event)
    }
    fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        Self::digest(self, bytes)
    }
}

impl<L: Ledger + ?Sized> Ledger for Arc<L> {
    fn append(&self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        (**self).append(time_ms, event)
    }
    fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        (**self).digest(bytes)
    }
}
