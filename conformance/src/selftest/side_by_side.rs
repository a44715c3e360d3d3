//! Several subjects at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Liars and bad wires that run at the same time: most of them wait most of the time.
const AT_A_TIME: usize = 6;

/// Runs jobs several at a time; the results come in the order of the jobs.
pub(crate) fn side_by_side<T: Copy + Send + Sync, R: Send>(
    jobs: Vec<T>,
    run: impl Fn(T) -> R + Sync,
) -> Vec<(T, R)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let result = run(*job);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, *job, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, ..)| *at);
    done.into_iter().map(|(_, job, result)| (job, result)).collect()
}
