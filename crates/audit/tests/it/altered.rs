//! Whatever is done to a log's files, what is read before the first fault is what was written, and the rest is missed.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper that fails is a test that fails"
)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use portcullis_audit::{Log, Reader, reconcile, verify};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::{NOW, open, options, permitted, place};

/// One thing that somebody does to one file.
#[derive(Debug, Clone)]
enum Change {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Cut(Index, Index),
    Truncate(Index),
    DropLine(Index),
    RepeatLine(Index, Index),
    SwapLines(Index, Index),
    Prepend(Vec<u8>),
    CarriageReturns,
    Remove,
    /// The file of another log of the same shape.
    Other,
    /// The content of another file of this log.
    Exchange(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        4 => (index(), 1..=255_u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        2 => (index(), prop::collection::vec(any::<u8>(), 1..40)).prop_map(|(at, what)| Change::Insert(at, what)),
        2 => (index(), index()).prop_map(|(from, to)| Change::Cut(from, to)),
        2 => index().prop_map(Change::Truncate),
        2 => index().prop_map(Change::DropLine),
        2 => (index(), index()).prop_map(|(line, to)| Change::RepeatLine(line, to)),
        2 => (index(), index()).prop_map(|(one, other)| Change::SwapLines(one, other)),
        1 => prop::sample::select(vec![b"\xef\xbb\xbf".to_vec(), b"\n".to_vec(), b"{}\n".to_vec()]).prop_map(Change::Prepend),
        1 => Just(Change::CarriageReturns),
        1 => Just(Change::Remove),
        1 => Just(Change::Other),
        1 => index().prop_map(Change::Exchange),
    ]
}

/// A log of three files and nine records, each about another call.
fn three_files(name: &str) -> tempfile::TempDir {
    let (directory, path) = place();
    let log = open(&path).log;
    for file in 0..3 {
        for record in 0..3 {
            log.append(NOW, &permitted(&format!("{name}{file}-{record}")))
                .unwrap();
        }
        if file < 2 {
            log.rotate(NOW).unwrap();
        }
    }
    directory
}

/// Two such logs, made once: what is durable takes its time.
static MADE: LazyLock<[tempfile::TempDir; 2]> = LazyLock::new(|| [three_files("a"), three_files("b")]);

const FILES: [&str; 3] = [
    "audit.jsonl.d/from-1.jsonl",
    "audit.jsonl.d/from-4.jsonl",
    "audit.jsonl",
];

fn files_in(directory: &Path) -> Vec<PathBuf> {
    FILES.iter().map(|file| directory.join(file)).collect()
}

/// A copy of the first of them, to be changed.
fn copied() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let parts = copy.path().join("audit.jsonl.d");
    std::fs::create_dir(&parts).unwrap();
    std::fs::set_permissions(parts, std::fs::Permissions::from_mode(0o700)).unwrap();
    for file in FILES.iter().chain(&["audit.jsonl.key", "audit.jsonl.head"]) {
        std::fs::copy(MADE[0].path().join(file), copy.path().join(file)).unwrap();
    }
    copy
}

/// The file's new content; `None` when it is taken away.
fn altered(change: &Change, file: usize, whole: &[Vec<u8>], other: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut bytes = whole[file].clone();
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    match change {
        Change::Flip(at, bits) => {
            let at = at.index(bytes.len());
            bytes[at] ^= bits;
        }
        Change::Insert(at, what) => {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at, what.iter().copied());
        }
        Change::Cut(from, to) => {
            let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
            bytes.drain(from.min(to)..=from.max(to));
        }
        Change::Truncate(at) => bytes.truncate(at.index(bytes.len())),
        Change::DropLine(line) => {
            lines.remove(line.index(lines.len()));
            bytes = lines.concat();
        }
        Change::RepeatLine(line, to) => {
            let line = lines[line.index(lines.len())].clone();
            lines.insert(to.index(lines.len() + 1), line);
            bytes = lines.concat();
        }
        Change::SwapLines(one, other) => {
            lines.swap(
                one.index(whole_lines(&whole[file])),
                other.index(whole_lines(&whole[file])),
            );
            bytes = lines.concat();
        }
        Change::Prepend(what) => bytes = [what.as_slice(), &bytes].concat(),
        Change::CarriageReturns => {
            bytes = lines
                .iter()
                .flat_map(|line| [&line[..line.len() - 1], b"\r\n"].concat())
                .collect();
        }
        Change::Remove => return None,
        Change::Other => bytes.clone_from(&other[file]),
        Change::Exchange(with) => bytes.clone_from(&whole[with.index(3)]),
    }
    Some(bytes)
}

fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn read(files: &[PathBuf]) -> Vec<Vec<u8>> {
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// The records that a reader gives before the first fault, as JSON, and whether it met one.
fn given(log: &Path) -> (Vec<serde_json::Value>, bool) {
    let mut records = Vec::new();
    let Ok(reader) = Reader::open(log) else {
        return (records, true);
    };
    for entry in reader {
        match entry {
            Ok(entry) => records.push(entry.value),
            Err(_) => return (records, true),
        }
    }
    (records, false)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_any_file_is_missed_and_nothing_false_is_read(change in change(), file in 0..3_usize) {
        let directory = copied();
        let files = files_in(directory.path());
        let (whole, other) = (read(&files), read(&files_in(MADE[1].path())));
        let log = &files[2];
        let (written, broken) = given(log);
        prop_assert_eq!((written.len(), broken), (11, false));
        let new = altered(&change, file, &whole, &other);
        prop_assume!(new.as_ref() != Some(&whole[file]));
        match &new {
            Some(new) => std::fs::write(&files[file], new).unwrap(),
            None => std::fs::remove_file(&files[file]).unwrap(),
        }
        let (records, _) = given(log);
        // A log without its oldest file begins later, and says so.
        let from = written.iter().position(|record| Some(record) == records.first()).unwrap_or(0);
        // The beginning of another log is a chain of its own, up to where ours goes on.
        let is_foreign = file == 0 && matches!(change, Change::Other);
        if is_foreign {
            prop_assert_eq!(records.len(), 3);
        } else {
            prop_assert_eq!(written.get(from..from + records.len()), Some(&records[..]), "{:?}", change);
        }
        match verify(log) {
            Err(_) => prop_assert!(new.is_none() && file == 2, "{:?}", change),
            Ok(found) => {
                let is_missed = found.fault.is_none() && found.first == 1 && !found.torn;
                prop_assert!(!is_missed, "{:?} in file {}: {:?}", change, file, found);
                // The reader knows no head: it may read on where `verify` knows better, never the other way round.
                prop_assert!(found.good <= u64::try_from(records.len()).unwrap());
                if found.fault.is_none() && found.first == 1 {
                    // Only what stands behind all records may count as a write that was cut short.
                    prop_assert_eq!(found.good, 11);
                }
            }
        }
        let _books = reconcile(log);
        // What is appended goes on from a whole end, or is not taken at all.
        if let Ok(opened) = Log::open(options(log)) {
            match opened.log.append(NOW, &permitted("next")) {
                Ok(receipt) => prop_assert_eq!(receipt.sequence, 12, "{:?}", change),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}
