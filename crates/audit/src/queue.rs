//! Records that wait for the disk: whoever comes first writes those of all who came meanwhile, with one sync.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::line::Body;
use crate::writer::Writer;
use crate::{Error, ErrorKind, Receipt};

/// Most records that are written at once: 4 MiB of the longest.
const MOST: usize = 64;

/// The writer, and the records that wait for it.
#[derive(Debug)]
pub(crate) struct Queue {
    waiting: Mutex<VecDeque<Waiting>>,
    writer: Mutex<Writer>,
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
            waiting: Mutex::default(),
            writer: Mutex::new(writer),
        }
    }

    /// Returns when the record is durable, or is known not to be.
    pub(crate) fn append(&self, path: &Path, body: Body, time_ms: i64) -> Result<Receipt, Error> {
        let slot = Slot::default();
        let waiting = Waiting {
            body,
            slot: Arc::clone(&slot),
        };
        self.waiting
            .lock()
            .map_err(|_| poisoned(path))?
            .push_back(waiting);
        loop {
            let mut writer = self.writer(path)?;
            if let Some(result) = slot.get() {
                return result.clone();
            }
            self.write_some(path, &mut writer, time_ms)?;
        }
    }

    pub(crate) fn writer(&self, path: &Path) -> Result<MutexGuard<'_, Writer>, Error> {
        self.writer.lock().map_err(|_| poisoned(path))
    }

    fn write_some(&self, path: &Path, writer: &mut Writer, time_ms: i64) -> Result<(), Error> {
        let some: Vec<Waiting> = {
            let mut waiting = self.waiting.lock().map_err(|_| poisoned(path))?;
            let most = waiting.len().min(MOST);
            waiting.drain(..most).collect()
        };
        let (bodies, slots): (Vec<Body>, Vec<Slot>) = some
            .into_iter()
            .map(|waiting| (waiting.body, waiting.slot))
            .unzip();
        let written = writer.append(&bodies, time_ms);
        for (at, slot) in slots.iter().enumerate() {
            let result = match &written {
                Ok(receipts) => receipts.get(at).copied().ok_or_else(|| poisoned(path)),
                Err(error) => Err(error.clone()),
            };
            // Each slot is taken out of the queue once.
            let _filled_once = slot.set(result);
        }
        Ok(())
    }
}

fn poisoned(path: &Path) -> Error {
    Error::new(
        ErrorKind::Io,
        path,
        "was left in an unknown state by a thread that panicked",
    )
}
