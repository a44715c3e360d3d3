//! Who opens the canaries.

use std::collections::BTreeMap;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};

use crate::{Error, ErrorKind};

/// A watch on files: an open or a read of one of them is seen, by whatever name. `stat`, `readlink` and opens with
/// `O_PATH` are not.
#[derive(Debug)]
pub(crate) struct Watch {
    instance: OwnedFd,
    names: BTreeMap<i32, String>,
}

impl Watch {
    pub(crate) fn new() -> Result<Self, Error> {
        let instance =
            inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).map_err(|error| fault(&error))?;
        Ok(Self {
            instance,
            names: BTreeMap::new(),
        })
    }

    pub(crate) fn add(&mut self, path: &Path, name: &str) -> Result<(), Error> {
        let flags = WatchFlags::OPEN | WatchFlags::ACCESS | WatchFlags::DONT_FOLLOW;
        let watch =
            inotify::add_watch(&self.instance, path, flags).map_err(|error| fault(&error).within(path))?;
        self.names.insert(watch, name.to_owned());
        Ok(())
    }

    /// The names of the files that were opened or read since the last time, each once.
    pub(crate) fn drain(&mut self) -> Vec<String> {
        let mut seen = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(&self.instance, &mut buffer);
        while let Ok(event) = reader.next() {
            let name = if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                "(too many events)"
            } else if event.events().intersects(ReadFlags::OPEN | ReadFlags::ACCESS) {
                self.names.get(&event.wd()).map_or("?", String::as_str)
            } else {
                // The watch ended with its file: nobody looked into it.
                continue;
            };
            if !seen.iter().any(|other| other == name) {
                seen.push(name.to_owned());
            }
        }
        seen
    }
}

fn fault(error: &rustix::io::Errno) -> Error {
    Error::new(ErrorKind::Host, format!("inotify: {}", io::Error::from(*error)))
}
