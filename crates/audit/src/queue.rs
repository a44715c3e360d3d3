//! Records that wait for the disk: whoever comes first writes those of all who came meanwhile, with one sync.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::line::Body;
use crate::writer::Writer;
use crate::{Error, ErrorKind, Receipt};

/// Most records that are written at once: 4 MiB of the longest.
const MOST: usize = 64;

/// The writer, and the records that wait for it.
#[derive(Debug)]
pub(crate) struct Queue {
    state: Mutex<State>,
    /// Some records are done, or nobody writes any more.
    changed: Condvar,
    writer: Mutex<Writer>,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Waiting>,
    /// A thread is at the disk. Those that come now have their records written together after it.
    is_writing: bool,
}

type Slot = Arc<OnceLock<Result<Receipt, Error>>>;

#[derive(Debug)]
struct Waiting {
    body: Body,
    slot: Slot,
}

impl Queue {
    pub(crate) fn new(writer: Writer) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            writer: Mutex::new(writer),
        }
    }

    /// Returns when the record is durable, or is known not to be.
    pub(crate) fn append(&self, path: &Path, body: Body, time_ms: i64) -> Result<Receipt, Error> {
        let slot = Slot::default();
        let mut state = self.state();
        state.waiting.push_back(Waiting {
            body,
            slot: Arc::clone(&slot),
        });
        loop {
            if let Some(result) = slot.get() {
                return result.clone();
            }
            if state.is_writing {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.is_writing = true;
            let most = state.waiting.len().min(MOST);
            let (bodies, slots) = state.waiting.drain(..most).map(|it| (it.body, it.slot)).unzip();
            drop(state);
            self.write(path, bodies, slots, time_ms);
            state = self.state();
        }
    }

    pub(crate) fn writer(&self, path: &Path) -> Result<MutexGuard<'_, Writer>, Error> {
        self.writer.lock().map_err(|_| poisoned(path))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change to it is one step: a panic leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, path: &Path, bodies: Vec<Body>, slots: Vec<Slot>, time_ms: i64) {
        let shift = Shift {
            queue: self,
            path,
            slots,
        };
        let written = self
            .writer(path)
            .and_then(|mut writer| writer.append(&bodies, time_ms));
        for (at, slot) in shift.slots.iter().enumerate() {
            let result = match &written {
                Ok(receipts) => receipts.get(at).copied().ok_or_else(|| poisoned(path)),
                Err(error) => Err(error.clone()),
            };
            // Each slot is taken out of the queue once.
            let _filled_once = slot.set(result);
        }
    }
}

/// A thread's turn at the disk. However it ends, every record of it gets an answer and the next thread its turn.
struct Shift<'a> {
    queue: &'a Queue,
    path: &'a Path,
    slots: Vec<Slot>,
}

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        for slot in &self.slots {
            // Filled already, unless the writer panicked.
            let _answered = slot.set(Err(poisoned(self.path)));
        }
        self.queue.state().is_writing = false;
        self.queue.changed.notify_all();
    }
}

fn poisoned(path: &Path) -> Error {
    Error::new(
        ErrorKind::Io,
        path,
        "was left in an unknown state by a thread that panicked",
    )
}
