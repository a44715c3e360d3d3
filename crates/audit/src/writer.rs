use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::chain::Link;
use crate::digest::DigestKey;
use crate::disk::Home;
use crate::line::{LONGEST, Sealed, seal};
use crate::lock::Held;
use crate::tail::{Ending, Tail};
use crate::{Error, ErrorKind, Event, Receipt, key, torn};

/// The file end of a log: one per open log, used by one thread at a time.
#[derive(Debug)]
pub(crate) struct Writer {
    home: Home,
    file: File,
    wait: Duration,
    tail: Option<Tail>,
    torn: Vec<PathBuf>,
    /// A failed record could not be taken back: what follows it would stand on sand.
    closed: bool,
}

impl Writer {
    pub(crate) fn open(home: Home, wait: Duration) -> Result<(Self, DigestKey), Error> {
        let file = home.open_log()?;
        let mut writer = Self {
            home,
            file,
            wait,
            tail: None,
            torn: Vec::new(),
            closed: false,
        };
        // The place first: nothing is locked, read or created on behalf of a file that is not ours.
        writer.home.check(&writer.file)?;
        let key = {
            let _held = Held::take(&writer.file, writer.home.path(), writer.wait)?;
            let tail = arrive(&writer.home, &writer.file, None, &mut writer.torn)?;
            if tail == Tail::EMPTY {
                // Before anything is appended the log's own name must be durable.
                writer
                    .home
                    .sync()
                    .map_err(|error| Error::io(writer.home.path(), "cannot be made durable", error))?;
            }
            writer.tail = Some(tail);
            key::load_or_create(&writer.home)?
        };
        Ok((writer, key))
    }

    /// Every torn end that was cut off, in order.
    pub(crate) fn torn(&self) -> &[PathBuf] {
        &self.torn
    }

    pub(crate) fn append(&mut self, time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        if self.closed {
            return Err(Error::new(
                ErrorKind::Io,
                self.home.path(),
                "was closed because a failed record could not be taken back",
            ));
        }
        let held = Held::take(&self.file, self.home.path(), self.wait)?;
        let tail = arrive(&self.home, &self.file, self.tail, &mut self.torn)?;
        self.tail = Some(tail);

        let sequence = tail.link.sequence.saturating_add(1);
        let Some(sealed) = seal(sequence, tail.link.hash, time_ms, event) else {
            let what = format!("takes no record longer than {LONGEST} bytes");
            return Err(Error::new(ErrorKind::TooLarge, self.home.path(), what));
        };
        if let Err(error) = write_durably(&self.file, &sealed) {
            self.closed = take_back(&self.file, tail.length).is_err();
            return Err(Error::io(self.home.path(), "could not be written", error));
        }
        let written = u64::try_from(sealed.bytes.len()).unwrap_or(u64::MAX);
        let link = Link {
            sequence,
            hash: sealed.hash,
        };
        self.tail = Some(Tail {
            length: tail.length.saturating_add(written),
            link,
        });
        drop(held);
        Ok(Receipt {
            sequence,
            hash: sealed.hash,
        })
    }
}

fn write_durably(mut file: &File, sealed: &Sealed) -> std::io::Result<()> {
    file.write_all(&sealed.bytes)?;
    file.sync_data()
}

fn take_back(file: &File, length: u64) -> std::io::Result<()> {
    file.set_len(length)?;
    file.sync_all()
}

/// Finds the chain's end under the lock, and repairs a torn one.
fn arrive(home: &Home, file: &File, known: Option<Tail>, torn: &mut Vec<PathBuf>) -> Result<Tail, Error> {
    let size = home.check(file)?;
    let ending = match known {
        Some(tail) if tail.length == size => return Ok(tail),
        Some(tail) if tail.length > size => {
            return Err(Error::new(
                ErrorKind::Broken,
                home.path(),
                "became shorter than its own records",
            ));
        }
        Some(tail) => tail.follow(file, size),
        None => Tail::find(file, size),
    };
    match ending.map_err(|error| Error::io(home.path(), "cannot be read", error))? {
        Ending::Clean(tail) => Ok(tail),
        Ending::Torn(tail) => {
            torn.push(torn::set_aside(home, file, tail, size)?);
            Ok(tail)
        }
        Ending::Broken(fault) => Err(Error::new(
            ErrorKind::Broken,
            home.path(),
            format!("has a broken chain near its end: {}", fault.what),
        )),
    }
}
