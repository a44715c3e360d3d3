use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use portcullis::{Clock as _, Moment, SystemClock};

use super::board::{Board, Now};

/// The board, and everybody who looks at it.
pub(crate) struct Hall {
    board: Mutex<Board>,
    changed: Condvar,
    clock: SystemClock,
}

impl Hall {
    pub(crate) fn new(clock: SystemClock) -> Self {
        Self {
            board: Mutex::default(),
            changed: Condvar::new(),
            clock,
        }
    }

    /// Looks at the board as it is now, or changes it; everybody who waits for a change hears of it.
    pub(crate) fn at<R>(&self, work: impl FnOnce(&mut Board, Now) -> R) -> R {
        let mut board = self.lock();
        let before = board.version();
        let now = self.now();
        board.expire(now);
        let result = work(&mut board, now);
        if board.version() != before {
            self.changed.notify_all();
        }
        result
    }

    /// Waits until the board is another than `seen`, but no longer than this, and gives its version.
    pub(crate) fn wait(&self, seen: u64, at_most: Duration) -> u64 {
        let board = self.lock();
        let waited = self
            .changed
            .wait_timeout_while(board, at_most, |board| board.version() == seen);
        let (board, _) = waited.unwrap_or_else(PoisonError::into_inner);
        board.version()
    }

    /// The monotonic clock.
    pub(crate) fn moment(&self) -> Moment {
        self.clock.now()
    }

    fn now(&self) -> Now {
        Now {
            moment: self.clock.now(),
            wall_ms: self.clock.wall_ms(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        // Questions are moved whole, so a panic of one connection leaves none of them half there.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
