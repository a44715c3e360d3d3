//! Earlier files of a log: `<log>.d/from-<first sequence number>.jsonl`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::chain::{After, Seen};
use crate::tail::Part;
use crate::walk::{Met, Walk};
use crate::{Error, disk};

/// What the directory's name adds to the log's.
pub(crate) const SUFFIX: &str = ".d";

/// The name of the part that begins with this record.
pub(crate) fn name(first: u64) -> OsString {
    OsString::from(format!("from-{first}.jsonl"))
}

fn first_of(name: &OsStr) -> Option<u64> {
    let digits = name.to_str()?.strip_prefix("from-")?.strip_suffix(".jsonl")?;
    let first = digits.parse().ok()?;
    (self::name(first) == name).then_some(first)
}

/// One file of a log.
#[derive(Debug)]
pub(crate) struct OneFile {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
    /// The sequence number that it should begin with; `None` for a file without a whole line.
    pub(crate) first: Option<u64>,
}

/// Opens a whole log to read it: its earlier parts in order, then the log itself.
///
/// The log is opened first: a part is there before the log goes on in a new file, so whoever holds the new file finds
/// every part.
pub(crate) fn open(path: &Path) -> Result<Vec<OneFile>, Error> {
    let file = disk::open_to_read(path)?;
    let begins = begins(&file).map_err(|error| Error::io(path, "cannot be read", error))?;
    let last = OneFile {
        path: path.to_owned(),
        file,
        first: begins.map(|seen| seen.link.sequence),
    };
    let mut files = Vec::new();
    if let Some(before) = last.first.filter(|first| *first > 1) {
        let directory = directory(path);
        let names = disk::names(&directory)
            .map_err(|error| Error::io(&directory, "holds earlier parts and cannot be read", error))?;
        let mut firsts: Vec<u64> = names.iter().filter_map(|name| first_of(name)).collect();
        firsts.retain(|first| *first < before);
        firsts.sort_unstable();
        for first in firsts {
            let path = directory.join(name(first));
            files.push(OneFile {
                file: disk::open_to_read(&path)?,
                path,
                first: Some(first),
            });
        }
    }
    files.push(last);
    Ok(files)
}

/// Where a log's earlier parts are.
pub(crate) fn directory(log: &Path) -> PathBuf {
    let mut directory = OsString::from(log);
    directory.push(SUFFIX);
    PathBuf::from(directory)
}

/// The first record of a file, when it is one that may begin a file.
pub(crate) fn begins(file: &File) -> std::io::Result<Option<Seen>> {
    let part = Part {
        file,
        offset: 0,
        end: u64::MAX,
    };
    let mut walk = Walk::new(std::io::BufReader::with_capacity(4096, part), After::Start);
    Ok(match walk.next()? {
        Met::Record(seen) => Some(seen),
        _ => None,
    })
}
