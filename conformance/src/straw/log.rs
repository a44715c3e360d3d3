//! The log: neutral records, each on the disk before anything goes on.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};

use crate::wire::Event;

/// Where records go.
#[derive(Debug, Clone)]
pub(super) struct Log {
    path: PathBuf,
}

impl Log {
    /// A log at this place. What an ended process left unfinished at its end is cut off.
    pub(super) fn at(path: &Path, resume: bool) -> std::io::Result<Self> {
        let log = Self {
            path: path.to_path_buf(),
        };
        if resume {
            let mut file = log.open()?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let whole = bytes
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            file.set_len(u64::try_from(whole).unwrap_or_default())?;
        }
        Ok(log)
    }

    fn open(&self) -> std::io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(open(&self.path, flags, Mode::from_raw_mode(0o600))?))
    }

    /// Appends a record; on return it is durable.
    pub(super) fn append(&self, record: &Event) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = self.open()?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(&line)?;
        file.sync_data()
    }

    /// The calls that were asked about and never decided.
    pub(super) fn open_questions(&self) -> Vec<String> {
        let mut bytes = String::new();
        let read = self.open().and_then(|mut file| file.read_to_string(&mut bytes));
        if read.is_err() {
            return Vec::new();
        }
        let mut open: Vec<String> = Vec::new();
        for line in bytes.lines() {
            match serde_json::from_str(line) {
                Ok(Event::Asked { call, .. }) => open.push(call),
                Ok(Event::Decided { call, .. }) => open.retain(|other| *other != call),
                _ => {}
            }
        }
        open
    }
}
