//! A panic becomes a value: whatever panics on a call's behalf makes the call not run, and nothing more.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Something panicked. The payload is not kept: it may hold anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Runs `work`; a panic in it is returned, not propagated.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        // A payload's own drop could panic again, outside of any guard.
        std::mem::forget(payload);
        Panicked
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new("the payload panics as well"));
        }
    }

    #[test]
    fn a_value_passes_and_a_panic_is_returned() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(
            guarded(|| std::panic::resume_unwind(Box::new(()))),
            Err::<(), _>(Panicked)
        );
        assert_eq!(
            guarded(|| std::panic::resume_unwind(Box::new(Bomb))),
            Err::<(), _>(Panicked)
        );
    }
}
