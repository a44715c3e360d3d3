use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failed {
    /// It took too long; the work may still be going on.
    Late,
    /// It panicked, or could not be started.
    Fault,
}

/// Makes panics say nothing: a message of theirs would stand beside the answer.
pub(crate) fn silence_panics() {
    panic::set_hook(Box::new(|_| {}));
}

/// Time that is given while the work goes on, because a person is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct More(Arc<AtomicU64>);

impl More {
    /// Gives this much more.
    pub(crate) fn give(&self, time: Duration) {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }

    fn take(&self) -> Duration {
        Duration::from_millis(self.0.swap(0, Ordering::SeqCst))
    }
}

/// Runs `work` on a thread of its own and waits for it no longer than `deadline`, and what is given on the way.
pub(crate) fn guarded<T: Send + 'static>(
    deadline: Duration,
    more: &More,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failed> {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::Builder::new().spawn(move || {
        if let Ok(result) = panic::catch_unwind(AssertUnwindSafe(work)) {
            // Nobody listens any more when the deadline has passed.
            let _unheard = sender.send(result);
        }
    });
    if worker.is_err() {
        return Err(Failed::Fault);
    }
    let mut wait = deadline;
    loop {
        match receiver.recv_timeout(wait) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => return Err(Failed::Fault),
            Err(RecvTimeoutError::Timeout) => {
                wait = more.take();
                if wait.is_zero() {
                    return Err(Failed::Late);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_result_comes_through() {
        assert_eq!(guarded(LONG, &More::default(), || 7), Ok(7));
    }

    #[test]
    fn a_panic_is_a_fault() {
        assert_eq!(
            guarded(LONG, &More::default(), || -> u8 { panic!("on purpose") }),
            Err(Failed::Fault)
        );
    }

    #[test]
    fn work_that_does_not_end_is_late() {
        let (_open, never) = mpsc::channel::<u8>();
        assert_eq!(
            guarded(Duration::from_millis(20), &More::default(), move || never
                .recv()
                .ok()),
            Err(Failed::Late)
        );
    }

    #[test]
    fn work_that_was_given_more_time_is_not_late() {
        let more = More::default();
        let giver = more.clone();
        more.give(LONG);
        let result = guarded(Duration::from_millis(1), &more, move || {
            // It is taken when the first deadline has passed.
            while giver.0.load(Ordering::SeqCst) > 0 {
                thread::yield_now();
            }
            7
        });
        assert_eq!(result, Ok(7));
        assert_eq!(more.take(), Duration::ZERO);
    }
}
