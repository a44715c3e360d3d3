//! A log goes over to new files, and its chain goes on.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scene fails")]

use std::path::{Path, PathBuf};

use portcullis_audit::{ErrorKind, Log, Outcome, Reader, verify};
use rstest::rstest;

use crate::common::{NOW, asked, finished, open, options, permitted, place};

fn parts(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(path.with_extension("jsonl.d"))
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    let number = |path: &PathBuf| -> u64 {
        let name = path.file_stem().unwrap().to_str().unwrap();
        name.trim_start_matches("from-").parse().unwrap()
    };
    found.sort_by_key(number);
    found
}

/// Three files: records 1 to 3, 4 to 6, 7 to 9, of which 4 and 7 carry the chain on.
fn three_files(path: &Path) {
    let log = open(path).log;
    assert!(!log.rotate(NOW).unwrap(), "an empty log has nothing to keep");
    for call in ["a", "b", "c"] {
        log.append(NOW, &permitted(call)).unwrap();
    }
    assert!(log.rotate(NOW).unwrap());
    for call in ["d", "e"] {
        log.append(NOW, &permitted(call)).unwrap();
    }
    assert!(log.rotate(NOW).unwrap());
    log.append(NOW, &finished("a", 1, Outcome::Done)).unwrap();
    log.append(NOW, &finished("d", 5, Outcome::Done)).unwrap();
}

#[test]
fn the_chain_goes_on_in_a_new_file() {
    let (_directory, path) = place();
    three_files(&path);
    let names: Vec<_> = parts(&path)
        .iter()
        .map(|part| part.file_name().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["from-1.jsonl", "from-4.jsonl"]);
    let found = verify(&path).unwrap();
    assert_eq!(
        (found.first, found.good, found.fault, found.torn),
        (1, 9, None, false)
    );
    // Outcomes are found for decisions of earlier files.
    assert_eq!(found.open_decisions, [2, 3, 6]);
    let read: Vec<_> = Reader::open(&path)
        .unwrap()
        .map(|entry| entry.unwrap().sequence().unwrap())
        .collect();
    assert_eq!(read, (1..=9).collect::<Vec<_>>());
    assert_eq!(open(&path).log.append(NOW, &asked("next")).unwrap().sequence, 10);
}

#[test]
fn a_log_of_a_given_size_goes_over_by_itself_and_loses_nothing() {
    let (_directory, path) = place();
    let log = open(&path).log.rotating_at(2000);
    let mut sequences = Vec::new();
    for at in 0..40 {
        sequences.push(log.append(NOW, &permitted(&at.to_string())).unwrap().sequence);
    }
    assert!(parts(&path).len() > 5, "{:?}", parts(&path));
    let found = verify(&path).unwrap();
    assert_eq!(found.fault, None);
    assert_eq!(found.good, 40 + parts(&path).len() as u64);
    assert_eq!(found.open_decisions, sequences);
    for part in parts(&path) {
        let mode = std::os::unix::fs::MetadataExt::mode(&part.metadata().unwrap());
        assert_eq!(mode & 0o7777, 0o600, "{part:?}");
    }
}

/// Whoever reads a log has it as it was, however often it goes over meanwhile.
#[test]
fn a_reader_loses_nothing_when_the_log_goes_over() {
    let (_directory, path) = place();
    three_files(&path);
    let log = open(&path).log;
    let reader = Reader::open(&path).unwrap();
    let mut read = Vec::new();
    for entry in reader {
        read.push(entry.unwrap().sequence().unwrap());
        if read.len() < 5 {
            assert!(log.rotate(NOW).unwrap());
            log.append(NOW, &asked("meanwhile")).unwrap();
        }
    }
    assert_eq!(read, (1..=u64::try_from(read.len()).unwrap()).collect::<Vec<_>>());
    assert!(read.len() >= 9, "{read:?}");
    assert_eq!(verify(&path).unwrap().fault, None);
}

#[rstest]
#[case::first(0, 1, "line 2 of the part `from-1.jsonl`")]
#[case::middle(1, 4, "line 2 of the part `from-4.jsonl`")]
#[case::last(2, 7, "line 2: ")]
fn a_bad_record_is_named_with_its_file(#[case] file: usize, #[case] good: u64, #[case] place_of: &str) {
    let (_directory, path) = place();
    three_files(&path);
    let mut files = parts(&path);
    files.push(path.clone());
    let text = std::fs::read_to_string(&files[file]).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let changed = lines[1].replacen("s-1", "s-2", 1);
    std::fs::write(
        &files[file],
        [&[lines[0], &changed], &lines[2..]].concat().concat(),
    )
    .unwrap();
    let found = verify(&path).unwrap();
    assert_eq!(found.good, good);
    assert!(
        found.fault.clone().unwrap().to_string().starts_with(place_of),
        "{:?}",
        found.fault
    );
}

#[test]
fn missing_shortened_and_swapped_parts_are_found() {
    let (_directory, path) = place();
    three_files(&path);
    let files = parts(&path);
    let texts = [
        std::fs::read(&files[0]).unwrap(),
        std::fs::read(&files[1]).unwrap(),
    ];
    let check = |what: &str| {
        let found = verify(&path).unwrap();
        assert!(found.fault.is_some(), "{what}");
        std::fs::write(&files[0], &texts[0]).unwrap();
        std::fs::write(&files[1], &texts[1]).unwrap();
        assert_eq!(verify(&path).unwrap().fault, None);
    };
    std::fs::remove_file(&files[1]).unwrap();
    check("the middle part is gone");
    let cut = texts[0].iter().rposition(|byte| *byte == b'\n').unwrap();
    std::fs::write(&files[0], &texts[0][..cut]).unwrap();
    check("the last record of a part has no end");
    let last = texts[0][..cut].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    std::fs::write(&files[0], &texts[0][..last]).unwrap();
    check("the last record of a part is gone");
    std::fs::write(&files[0], &texts[1]).unwrap();
    std::fs::write(&files[1], &texts[0]).unwrap();
    check("two parts are swapped");

    // Without its beginning a log is not whole, and says from where on it is.
    std::fs::remove_file(&files[0]).unwrap();
    let found = verify(&path).unwrap();
    assert_eq!((found.first, found.good, found.fault), (4, 6, None));
}

#[test]
fn several_open_logs_go_over_together() {
    let (_directory, path) = place();
    let logs: Vec<Log> = (0..3).map(|_| open(&path).log.rotating_at(1500)).collect();
    std::thread::scope(|scope| {
        for log in logs.iter().chain(&logs) {
            scope.spawn(move || {
                for at in 0..20 {
                    log.append(NOW, &permitted(&at.to_string())).unwrap();
                }
            });
        }
    });
    let found = verify(&path).unwrap();
    assert_eq!(found.fault, None);
    assert_eq!(found.open_decisions.len(), 120);
    assert!(parts(&path).len() > 10);
}

/// Every state that a crash in the middle of going over can leave.
#[test]
fn a_crash_while_going_over_leaves_the_old_file_or_the_new_one() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    let (old, old_head) = (
        std::fs::read(&path).unwrap(),
        std::fs::read(path.with_extension("jsonl.head")).unwrap(),
    );
    log.rotate(NOW).unwrap();
    drop(log);
    let new = std::fs::read(&path).unwrap();
    let part = parts(&path).remove(0);

    // The new file is there, under another name.
    std::fs::remove_file(&part).unwrap();
    std::fs::write(&path, &old).unwrap();
    std::fs::write(path.with_extension("jsonl.head"), &old_head).unwrap();
    std::fs::write(path.with_extension("jsonl.next"), &new).unwrap();
    let log = open(&path).log;
    assert_eq!(log.append(NOW, &permitted("b")).unwrap().sequence, 2);
    assert!(log.rotate(NOW).unwrap());
    assert_eq!(verify(&path).unwrap().fault, None);
    drop(log);

    // The old file has its second name.
    let part = parts(&path).remove(0);
    std::fs::rename(&part, &path).unwrap();
    std::fs::write(path.with_extension("jsonl.head"), &old_head).unwrap();
    std::fs::hard_link(&path, &part).unwrap();
    let log = open(&path).log;
    assert_eq!(log.append(NOW, &permitted("c")).unwrap().sequence, 3);
    assert!(!part.exists(), "the second name is gone");
    let before = std::fs::read(path.with_extension("jsonl.head")).unwrap();
    assert!(log.rotate(NOW).unwrap());
    drop(log);

    // The new file is the log, and the head was not written again.
    std::fs::write(path.with_extension("jsonl.head"), &before).unwrap();
    assert_eq!(open(&path).log.append(NOW, &permitted("d")).unwrap().sequence, 5);
    assert_eq!(verify(&path).unwrap().fault, None);
}

/// A full or strange directory of parts is no reason not to record.
#[test]
fn a_log_that_cannot_go_over_grows_on() {
    let (_directory, path) = place();
    let log = open(&path).log.rotating_at(1);
    std::fs::write(path.with_extension("jsonl.d"), "in the way").unwrap();
    for at in 1..=3 {
        assert_eq!(log.append(NOW, &permitted("x")).unwrap().sequence, at);
    }
    assert_eq!(log.rotate(NOW).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(log.append(NOW, &permitted("x")).unwrap().sequence, 4);
    assert_eq!(verify(&path).unwrap().fault, None);
}

#[test]
fn an_older_file_put_back_in_place_is_no_log_to_go_on_in() {
    let (_directory, path) = place();
    three_files(&path);
    std::fs::copy(&parts(&path)[1], &path).unwrap();
    assert_eq!(Log::open(options(&path)).unwrap_err().kind(), ErrorKind::Broken);
    assert!(verify(&path).unwrap().fault.is_some());
}
