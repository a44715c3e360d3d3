//! The log: neutral records, each on the disk before anything goes on. Beside it, in the state, stands a chain of hashes: one
//! line a record, over the record and the line before.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};

use super::{Lie, books};
use crate::hash;
use crate::os::disk;
use crate::wire::Event;

/// Where records go.
#[derive(Debug, Clone)]
pub(super) struct Log {
    path: PathBuf,
    chain: PathBuf,
}

impl Log {
    /// A log at this place. What an ended process left unfinished at its end is cut off, and so are the last words of a session
    /// that was closed.
    pub(super) fn at(path: &Path, state: &Path, resume: bool) -> std::io::Result<Self> {
        let log = Self {
            path: path.to_path_buf(),
            chain: state.join("chain"),
        };
        if resume {
            let mut file = log.open()?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let mut whole = bytes
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            let lines = bytes.get(..whole).unwrap_or_default();
            for line in lines.split_inclusive(|byte| *byte == b'\n').rev() {
                match serde_json::from_slice(line) {
                    Ok(Event::Books { .. } | Event::Chain { .. }) => whole -= line.len(),
                    _ => break,
                }
            }
            file.set_len(u64::try_from(whole).unwrap_or_default())?;
            log.catch_up(bytes.get(..whole).unwrap_or_default())?;
        }
        Ok(log)
    }

    fn open(&self) -> std::io::Result<File> {
        Self::open_at(&self.path)
    }

    fn open_at(path: &Path) -> std::io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(open(path, flags, Mode::from_raw_mode(0o600))?))
    }

    /// A kill between a record and its link leaves one link too few: the one that was announced.
    fn catch_up(&self, log: &[u8]) -> std::io::Result<()> {
        let lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
        let links = self.links();
        let Some((last, before)) = lines.split_last() else {
            return Ok(());
        };
        let new = next(links.last().map_or("", String::as_str), last);
        if before.len() == links.len() && disk::bytes_if_there(&self.announced()) == new.as_bytes() {
            self.link(&new)?;
        }
        Ok(())
    }

    fn announced(&self) -> PathBuf {
        self.chain.with_extension("next")
    }

    fn links(&self) -> Vec<String> {
        let text = disk::bytes_if_there(&self.chain);
        String::from_utf8_lossy(&text)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Whether each line is one that was written, wherever.
    fn knows_each(&self, lines: &[&[u8]]) -> bool {
        let text = disk::bytes_if_there(&self.chain.with_extension("lines"));
        let known = String::from_utf8_lossy(&text);
        lines
            .iter()
            .all(|line| known.lines().any(|hash| hash == hash::hex(line)))
    }

    fn append_to(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let mut file = Self::open_at(path)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)
    }

    fn link(&self, link: &str) -> std::io::Result<()> {
        Self::append_to(&self.chain, format!("{link}\n").as_bytes())
    }

    /// The session ends: the last lines say whether the records add up, and whether the log is what was written.
    pub(super) fn close(&self, lie: Lie) -> std::io::Result<()> {
        let mut files = self.past();
        files.push(self.path.clone());
        let bytes: Vec<u8> = files.iter().flat_map(|file| disk::bytes_if_there(file)).collect();
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let links = self.links();
        let mut last = String::new();
        let proven = lines.iter().zip(&links).take_while(|(line, link)| {
            last = next(&last, line);
            last == **link
        });
        let good = proven.count();
        let whole = lines.len() == links.len() && good == lines.len();
        let intact = if lie.is("chain-always") {
            true
        } else if lie.is("chain-alone") {
            self.knows_each(&lines)
        } else if files.len() > 1 && lie.is("chain-of-the-last") {
            true
        } else {
            whole
        };
        let good = match !whole && lie.is("where-at-the-end") {
            true => lines.len(),
            false => good,
        };
        let good = u64::try_from(good).ok();
        let intact = intact && self.fits_seals(&lines, lie);
        let balanced = books::balanced(&lines, lie);
        for word in [Event::Books { balanced }, Event::Chain { intact, good }] {
            let mut line = serde_json::to_vec(&word)?;
            line.push(b'\n');
            Self::append_to(&self.path, &line)?;
        }
        Ok(())
    }

    fn seals(&self) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(".seal");
        PathBuf::from(name)
    }

    /// Seals what was recorded so far: how many records, and the link of the last.
    pub(super) fn seal(&self) -> std::io::Result<()> {
        let links = self.links();
        let last = links.last().map_or("", String::as_str);
        Self::append_to(&self.seals(), format!("{} {last}\n", links.len()).as_bytes())
    }

    /// Whether the log begins with what each seal says.
    fn fits_seals(&self, lines: &[&[u8]], lie: Lie) -> bool {
        let seals = disk::bytes_if_there(&self.seals());
        let fits = |seal: &str| {
            let Some((count, sealed)) = seal.split_once(' ') else {
                return false;
            };
            let count = count.parse().unwrap_or(usize::MAX);
            let sum = |link: String, line: &&[u8]| next(&link, line);
            let whole = lines.get(..count);
            whole.is_some_and(|lines| lines.iter().fold(String::new(), sum) == sealed)
        };
        seals.is_empty() || lie.is("seal-unheard") || String::from_utf8_lossy(&seals).lines().all(fits)
    }

    /// Goes on in a new file; gives those that hold what was written before.
    pub(super) fn rotate(&self) -> std::io::Result<Vec<String>> {
        let number = self.past().len() + 1;
        let old = self.path.with_extension(format!("{number:04}"));
        disk::rename(&self.path, &old).map_err(|_| std::io::ErrorKind::Other)?;
        let past = self.past();
        Ok(past
            .iter()
            .map(|file| file.to_string_lossy().into_owned())
            .collect())
    }

    /// The files that are not written to any more, the oldest first.
    fn past(&self) -> Vec<PathBuf> {
        let numbered = (1..).map(|number| self.path.with_extension(format!("{number:04}")));
        numbered.take_while(|file| disk::is_there(file)).collect()
    }

    /// Appends a record; on return it is durable.
    pub(super) fn append(&self, record: &Event, lie: Lie) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let link = next(self.links().last().map_or("", String::as_str), &line);
        let mut announced = Self::open_at(&self.announced())?;
        announced.set_len(0)?;
        announced.write_all(link.as_bytes())?;
        let mut file = self.open()?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(&line)?;
        file.sync_data()?;
        if lie.is("chain-alone") {
            let hash = hash::hex(&line);
            Self::append_to(
                &self.chain.with_extension("lines"),
                format!("{hash}\n").as_bytes(),
            )?;
        }
        self.link(&link)
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

/// The link of a line after this link.
fn next(link: &str, line: &[u8]) -> String {
    hash::hex(&[link.as_bytes(), line].concat())
}
