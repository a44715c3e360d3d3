//! Whether Git has a file: its index is read, and no program is run.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, Stat};

/// Largest index that is read, in bytes.
const LARGEST: u64 = 64 << 20;
/// Directories upwards in which a repository is looked for.
const HIGHEST: usize = 64;

/// What Git knows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It is tracked, and looks as it did when Git last saw it.
    AsItIs,
    /// It is tracked, and looks different now.
    Changed,
    /// It is not tracked.
    Not,
}

/// The index of a repository: size and time of each tracked file.
#[derive(Debug)]
pub(super) struct Index {
    top: PathBuf,
    files: HashMap<Vec<u8>, (u32, u32)>,
}

impl Index {
    /// The index of the repository that a path is in; `None` when there is none that can be read.
    pub(super) fn above(path: &Path) -> Option<Self> {
        let mut tops = path.ancestors().skip(1).take(HIGHEST);
        let (top, bytes) = tops.find_map(|top| Some((top, read(&top.join(".git/index"))?)))?;
        Some(Self {
            top: top.to_path_buf(),
            files: parse(&bytes)?,
        })
    }

    pub(super) fn knows(&self, path: &Path, found: &Stat) -> Known {
        let below = path.strip_prefix(&self.top).ok();
        let kept = below.and_then(|below| self.files.get(below.as_os_str().as_bytes()));
        let Some((seconds, size)) = kept else {
            return Known::Not;
        };
        // The index keeps the lower half of both.
        let same_size = u64::from(*size) == u64::try_from(found.st_size).unwrap_or_default() & 0xffff_ffff;
        let same_time = i64::from(*seconds) == found.st_mtime & 0xffff_ffff;
        if same_size && same_time {
            Known::AsItIs
        } else {
            Known::Changed
        }
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty()).ok()?);
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    u64::try_from(bytes.len())
        .is_ok_and(|length| length <= LARGEST)
        .then_some(bytes)
}

/// The entries of an index of version 2 or 3. Version 4 shortens names by those before them; it is not read.
fn parse(bytes: &[u8]) -> Option<HashMap<Vec<u8>, (u32, u32)>> {
    let rest = bytes.strip_prefix(b"DIRC")?;
    let (version, rest) = number(rest)?;
    let (entries, mut rest) = number(rest)?;
    if !matches!(version, 2 | 3) {
        return None;
    }
    let mut files = HashMap::new();
    for _ in 0..entries {
        let (entry, name) = rest.split_at_checked(62)?;
        let seconds = number(entry.get(8..)?)?.0;
        let size = number(entry.get(36..)?)?.0;
        let flags = entry.get(60..62)?;
        // A bit says that two bytes more come before the name.
        let extended = usize::from(flags.first()? & 0x40 != 0) * 2;
        let name = name.get(extended..)?;
        let length = name.iter().position(|byte| *byte == 0)?;
        files.insert(name.get(..length)?.to_vec(), (seconds, size));
        // Filled up with zeros to a multiple of eight, with one zero at least.
        let whole = 62 + extended + length;
        rest = rest.get(whole + 8 - whole % 8..)?;
    }
    Some(files)
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*number), rest))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use super::*;

    /// An index of version 2 with these names, all of the same time and size.
    fn index(names: &[&str], seconds: u32, size: u32) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(2_u32.to_be_bytes());
        bytes.extend(u32::try_from(names.len()).unwrap().to_be_bytes());
        for name in names {
            let start = bytes.len();
            bytes.extend([0; 8]);
            bytes.extend(seconds.to_be_bytes());
            bytes.extend([0; 24]);
            bytes.extend(size.to_be_bytes());
            bytes.extend([0; 20]);
            bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            bytes.extend(name.as_bytes());
            let length = bytes.len() - start;
            bytes.extend(vec![0; 8 - length % 8]);
        }
        bytes
    }

    #[test]
    fn tracked_changed_and_untracked_files_are_told_apart() {
        let tree = tempfile::tempdir().unwrap();
        std::fs::create_dir(tree.path().join(".git")).unwrap();
        std::fs::create_dir(tree.path().join("src")).unwrap();
        let file = tree.path().join("src/lib.rs");
        std::fs::write(&file, "12345").unwrap();
        let stat = || rustix::fs::statat(CWD, &file, rustix::fs::AtFlags::empty()).unwrap();
        let seconds = u32::try_from(stat().st_mtime).unwrap();
        let write = |names: &[&str], size| {
            std::fs::write(tree.path().join(".git/index"), index(names, seconds, size)).unwrap();
            Index::above(&file).unwrap().knows(&file, &stat())
        };
        assert_eq!(write(&["a", "src/lib.rs", "z/long/name"], 5), Known::AsItIs);
        assert_eq!(write(&["src/lib.rs"], 6), Known::Changed);
        assert_eq!(write(&["src/lib", "lib.rs"], 5), Known::Not);
        assert_eq!(write(&[], 5), Known::Not);
    }

    #[test]
    fn what_is_no_index_is_none() {
        let whole = index(&["a", "bb"], 1, 1);
        assert!(parse(&whole).is_some());
        for length in 0..whole.len() - 8 {
            assert!(parse(&whole[..length]).is_none(), "{length}");
        }
        let mut newer = whole;
        newer[7] = 4;
        assert!(parse(&newer).is_none());
    }
}
