use std::io::Write;

use crate::line::{Body, LONGEST};
use crate::lock::Held;
use crate::place::Place;
use crate::rotate::{Rotated, rotate};
use crate::tail::Tail;
use crate::{Error, ErrorKind, Receipt};

/// The file end of a log: one per open log, used by one thread at a time.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) place: Place,
    /// From this many bytes on, the log goes over to a new file.
    pub(crate) rotate_at: Option<u64>,
    lines: Vec<u8>,
    /// A failed record could not be taken back: what follows it would stand on sand.
    closed: bool,
}

impl Writer {
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            rotate_at: None,
            lines: Vec::new(),
            closed: false,
        }
    }

    /// Appends records, one after the other, with one write and one sync for all of them. All are durable, or none is.
    pub(crate) fn append(&mut self, bodies: &[Body], time_ms: i64) -> Result<Vec<Receipt>, Error> {
        self.is_open()?;
        let mut held = self.place.arrive()?;
        if self.rotate_at.is_some_and(|most| self.place.tail.length >= most) {
            held = self.go_over(time_ms, held)?;
        }
        let before = self.place.tail;
        let mut link = before.link;
        let mut receipts = Vec::with_capacity(bodies.len());
        self.lines.clear();
        for body in bodies {
            link = body.seal(link, &mut self.lines).ok_or_else(|| {
                let what = format!("takes no record longer than {LONGEST} bytes");
                Error::new(ErrorKind::TooLarge, self.place.home.path(), what)
            })?;
            receipts.push(Receipt {
                sequence: link.sequence,
                hash: link.hash,
            });
        }
        if let Err(error) = self.write_durably() {
            self.closed = self.take_back(before.length).is_err();
            return Err(Error::io(self.place.home.path(), "could not be written", error));
        }
        let written = u64::try_from(self.lines.len()).unwrap_or(u64::MAX);
        self.place.tail = Tail {
            length: before.length.saturating_add(written),
            link,
        };
        self.place.note_head();
        drop(held);
        Ok(receipts)
    }

    /// Goes over to a new file now, unless the log has no record yet.
    pub(crate) fn rotate(&mut self, time_ms: i64) -> Result<bool, Error> {
        self.is_open()?;
        let held = self.place.arrive()?;
        if self.place.tail.length == 0 {
            return Ok(false);
        }
        match rotate(&mut self.place, time_ms, held) {
            Ok(Rotated::Yes(_)) => Ok(true),
            Ok(Rotated::No(error, _)) => Err(Error::io(
                self.place.home.path(),
                "cannot go over to a new file",
                error,
            )),
            Err(error) => {
                self.closed = true;
                Err(error)
            }
        }
    }

    /// A log that cannot go over to a new file goes on in the old one: size is no reason to refuse.
    fn go_over(&mut self, time_ms: i64, held: Held) -> Result<Held, Error> {
        match rotate(&mut self.place, time_ms, held) {
            Ok(Rotated::Yes(held) | Rotated::No(_, held)) => Ok(held),
            Err(error) => {
                self.closed = true;
                Err(error)
            }
        }
    }

    fn is_open(&self) -> Result<(), Error> {
        if self.closed {
            return Err(Error::new(
                ErrorKind::Io,
                self.place.home.path(),
                "was closed because a failed record could not be taken back",
            ));
        }
        Ok(())
    }

    fn write_durably(&self) -> std::io::Result<()> {
        let mut file = &*self.place.file;
        file.write_all(&self.lines)?;
        file.sync_data()
    }

    fn take_back(&self, length: u64) -> std::io::Result<()> {
        self.place.file.set_len(length)?;
        self.place.file.sync_all()
    }
}
