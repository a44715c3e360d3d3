//! The socket where people are.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::events::{Event, Talk, read_lines};
use crate::{Error, ErrorKind};

static SERIAL: AtomicU64 = AtomicU64::new(0);

/// A listening socket and the connections to it.
pub(crate) struct Approver {
    pub(crate) serial: u64,
    path: PathBuf,
    stop: Arc<AtomicBool>,
    talks: BTreeMap<u64, UnixStream>,
}

impl Approver {
    /// Listens, and puts what happens into the queue.
    pub(crate) fn listen(path: &Path, events: Sender<Event>) -> Result<Self, Error> {
        let listener = UnixListener::bind(path)
            .map_err(|error| Error::new(ErrorKind::Host, error.to_string()).within(path))?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        std::thread::spawn(move || {
            for (number, stream) in (0..).zip(listener.incoming()) {
                let Ok(stream) = stream else { break };
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let talk = Talk {
                    socket: serial,
                    number,
                };
                let Ok(reader) = stream.try_clone() else { break };
                if events.send(Event::Connected(talk, stream)).is_err() {
                    break;
                }
                let events = events.clone();
                std::thread::spawn(move || {
                    read_lines(reader, |event| {
                        let event = match event {
                            Event::Line(line, true) => Event::Asked(talk, line),
                            _ => Event::HungUp,
                        };
                        events.send(event).is_ok()
                    });
                });
            }
        });
        Ok(Self {
            serial,
            path: path.to_path_buf(),
            stop,
            talks: BTreeMap::new(),
        })
    }

    /// Remembers a connection.
    pub(crate) fn connected(&mut self, talk: Talk, stream: UnixStream) {
        // A subject that does not read must not hold the runner.
        let _unlimited = stream.set_write_timeout(Some(Duration::from_millis(300)));
        self.talks.insert(talk.number, stream);
    }

    /// Writes bytes. A connection that is closed already takes none, and that is fine.
    pub(crate) fn write(&mut self, talk: Talk, bytes: &[u8]) {
        if let Some(stream) = self.talks.get_mut(&talk.number) {
            let _closed = stream.write_all(bytes);
        }
    }

    /// Closes one connection.
    pub(crate) fn hang_up(&mut self, talk: Talk) {
        if let Some(stream) = self.talks.remove(&talk.number) {
            let _closed = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Approver {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        for stream in self.talks.values() {
            let _closed = stream.shutdown(Shutdown::Both);
        }
        // Wakes the listener up, so that it sees that it is over.
        let _woken = UnixStream::connect(&self.path);
    }
}
