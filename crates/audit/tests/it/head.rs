//! Records that are cut off a log's end are missed by the next process.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot build its scene fails"
)]

use std::path::{Path, PathBuf};

use portcullis_audit::{ErrorKind, Log, Outcome, verify};
use rstest::rstest;

use crate::common::{NOW, asked, finished, open, options, permitted, place};

fn beside(path: &Path, suffix: &str) -> PathBuf {
    path.with_extension(format!("jsonl{suffix}"))
}

/// A log of so many records.
fn log_of(path: &Path, records: usize) {
    let log = open(path).log;
    for at in 0..records {
        log.append(NOW, &permitted(&at.to_string())).unwrap();
    }
}

/// A log's text without its last lines.
fn cut(path: &Path, lines: usize) {
    let text = std::fs::read_to_string(path).unwrap();
    let kept: Vec<&str> = text.split_inclusive('\n').collect();
    std::fs::write(path, kept[..kept.len() - lines].concat()).unwrap();
}

#[rstest]
fn a_cut_end_is_missed_by_a_new_process(#[values(1, 2, 3, 4)] lines: usize) {
    let (_directory, path) = place();
    log_of(&path, 4);
    cut(&path, lines);
    let left = 4 - lines as u64;
    let found = verify(&path).unwrap();
    assert_eq!(found.good, left);
    let what = format!(
        "line {}: the log ends at record {left}, but the log's head knows record 4: its end was cut off",
        left + 1
    );
    assert_eq!(found.fault.unwrap().to_string(), what);
    let before = std::fs::read(&path).unwrap();
    let error = Log::open(options(&path)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken, "{error}");
    assert!(error.to_string().contains("its end was cut off"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before, "nothing is appended to it");
}

#[test]
fn a_cut_within_the_last_record_is_no_crash() {
    let (directory, path) = place();
    log_of(&path, 3);
    let whole = std::fs::read(&path).unwrap();
    for short in [1, 2, 70, 150] {
        std::fs::write(&path, &whole[..whole.len() - short]).unwrap();
        assert!(verify(&path).unwrap().fault.is_some(), "{short} bytes less");
        assert_eq!(Log::open(options(&path)).unwrap_err().kind(), ErrorKind::Broken);
    }
    // Nothing was set aside as if it had been a crash.
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 3);
}

/// A crash between a record and its head: the head of any earlier moment is as good.
#[test]
fn a_head_that_lags_behind_is_no_fault() {
    let (_directory, path) = place();
    let log = open(&path).log;
    let mut heads = vec![std::fs::read(beside(&path, ".head")).unwrap()];
    for at in 0..5 {
        log.append(NOW, &permitted(&at.to_string())).unwrap();
        heads.push(std::fs::read(beside(&path, ".head")).unwrap());
    }
    drop(log);
    for (at, head) in heads.iter().enumerate() {
        std::fs::write(beside(&path, ".head"), head).unwrap();
        assert_eq!(verify(&path).unwrap().fault, None, "the head of {at} records");
        let receipt = open(&path).log.append(NOW, &permitted("more")).unwrap();
        assert_eq!(receipt.sequence, 6 + at as u64);
    }
}

/// Behind a lagging head only what follows from it is accepted: not a chain that somebody made anew.
#[test]
fn a_new_chain_behind_an_old_head_is_found() {
    let ((_one, path), (_two, other)) = (place(), place());
    log_of(&path, 2);
    log_of(&other, 1);
    open(&other).log.append(NOW + 1, &asked("x")).unwrap();
    open(&other).log.append(NOW + 1, &asked("y")).unwrap();
    std::fs::copy(&other, &path).unwrap();
    let fault = verify(&path).unwrap().fault.unwrap();
    assert_eq!(
        fault.to_string(),
        "line 2: it is not the record that the log's head knows as 2"
    );
    assert_eq!(Log::open(options(&path)).unwrap_err().kind(), ErrorKind::Broken);
}

#[rstest]
#[case::head_gone(&[".head"], "has lost its head")]
#[case::key_gone(&[".key"], "has lost its key")]
fn what_belongs_to_a_log_is_missed(#[case] removed: &[&str], #[case] what: &str) {
    let (_directory, path) = place();
    log_of(&path, 2);
    for suffix in removed {
        std::fs::remove_file(beside(&path, suffix)).unwrap();
    }
    let error = Log::open(options(&path)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken);
    assert!(error.to_string().contains(what), "{error}");
    assert_eq!(verify(&path).unwrap().fault.is_some(), removed == [".head"]);
}

#[test]
fn a_log_that_stands_alone_says_that_nothing_knows_its_end() {
    let ((_one, path), (_two, other)) = (place(), place());
    log_of(&path, 2);
    std::fs::copy(&path, &other).unwrap();
    let found = verify(&other).unwrap();
    assert_eq!((found.good, found.fault, found.has_head), (2, None, false));
    assert!(verify(&path).unwrap().has_head);
    // It may go on: from here on it has a head.
    std::fs::set_permissions(&other, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    assert_eq!(open(&other).log.append(NOW, &asked("c")).unwrap().sequence, 3);
    assert!(verify(&other).unwrap().has_head);
}

#[rstest]
#[case::garbage(|head: &mut Vec<u8>| head.fill(b'x'))]
#[case::empty(|head: &mut Vec<u8>| head.clear())]
#[case::longer(|head: &mut Vec<u8>| head.push(b'\n'))]
#[case::another_length(|head: &mut Vec<u8>| { let at = head.windows(8).position(|part| part == b"\"seq\":2,").unwrap(); head[at + 6] = b'1'; })]
fn a_changed_head_stops_the_log(#[case] change: fn(&mut Vec<u8>)) {
    let (_directory, path) = place();
    log_of(&path, 2);
    let mut head = std::fs::read(beside(&path, ".head")).unwrap();
    change(&mut head);
    std::fs::write(beside(&path, ".head"), head).unwrap();
    assert!(verify(&path).unwrap().fault.is_some());
    assert_eq!(Log::open(options(&path)).unwrap_err().kind(), ErrorKind::Broken);
}

#[test]
fn the_head_of_another_log_does_not_count() {
    let ((_one, path), (_two, other)) = (place(), place());
    log_of(&path, 2);
    log_of(&other, 2);
    std::fs::copy(beside(&other, ".head"), beside(&path, ".head")).unwrap();
    assert!(verify(&path).unwrap().fault.is_some());
    assert_eq!(Log::open(options(&path)).unwrap_err().kind(), ErrorKind::Broken);
}

#[test]
fn a_clock_that_goes_back_changes_no_order() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for (at, time) in [NOW, NOW - 1_000_000, 0, i64::MIN, i64::MAX, NOW]
        .into_iter()
        .enumerate()
    {
        assert_eq!(log.append(time, &permitted("x")).unwrap().sequence, at as u64 + 1);
    }
    log.append(NOW, &finished("x", 1, Outcome::Done)).unwrap();
    assert_eq!(verify(&path).unwrap().fault, None);
}
