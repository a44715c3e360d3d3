use std::panic::{self, AssertUnwindSafe};
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

/// Runs `work` on a thread of its own and waits for it no longer than `deadline`.
pub(crate) fn guarded<T: Send + 'static>(
    deadline: Duration,
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
    receiver.recv_timeout(deadline).map_err(|error| match error {
        RecvTimeoutError::Timeout => Failed::Late,
        RecvTimeoutError::Disconnected => Failed::Fault,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_result_comes_through() {
        assert_eq!(guarded(LONG, || 7), Ok(7));
    }

    #[test]
    fn a_panic_is_a_fault() {
        assert_eq!(
            guarded(LONG, || -> u8 { panic!("on purpose") }),
            Err(Failed::Fault)
        );
    }

    #[test]
    fn work_that_does_not_end_is_late() {
        let (_open, never) = mpsc::channel::<u8>();
        assert_eq!(
            guarded(Duration::from_millis(20), move || never.recv().ok()),
            Err(Failed::Late)
        );
    }
}
