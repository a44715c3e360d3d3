//! System calls that fail: a filter on one thread makes the kernel say no.

use portcullis_audit::{ErrorKind, Log, verify};
use rustix::io::Errno;

use crate::common::{NOW, open, options, permitted, place};

/// `fdatasync`, `fsync`, `ftruncate`, `write`, `pwrite64`, `linkat` by their numbers.
#[cfg(target_arch = "x86_64")]
const CALLS: [i64; 6] = [75, 74, 77, 1, 18, 265];
#[cfg(target_arch = "aarch64")]
const CALLS: [i64; 6] = [83, 82, 46, 64, 68, 37];
const FDATASYNC: i64 = CALLS[0];
const FSYNC: i64 = CALLS[1];
const FTRUNCATE: i64 = CALLS[2];
const WRITE: i64 = CALLS[3];
const PWRITE: i64 = CALLS[4];
const LINKAT: i64 = CALLS[5];

/// Runs something on a thread of its own for which these calls fail with an input or output error.
fn failing<T: Send>(calls: &[i64], run: impl FnOnce() -> T + Send) -> T {
    portcullis_testing::failing(calls, Errno::IO, run)
}

#[test]
fn a_record_that_is_not_synced_is_no_record() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    let error = failing(&[FDATASYNC], || log.append(NOW, &permitted("b"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert!(std::error::Error::source(&error).is_some());
    assert_eq!(verify(&path).unwrap().good, 1);
    assert_eq!(log.append(NOW, &permitted("c")).unwrap().sequence, 2);
    assert_eq!(verify(&path).unwrap().fault, None);
}

#[test]
fn a_record_that_cannot_be_taken_back_closes_the_log() {
    for calls in [[FDATASYNC, FSYNC], [FDATASYNC, FTRUNCATE]] {
        let (_directory, path) = place();
        let log = open(&path).log;
        log.append(NOW, &permitted("a")).unwrap();
        failing(&calls, || log.append(NOW, &permitted("b"))).unwrap_err();
        let error = log.append(NOW, &permitted("c")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("could not be taken back"), "{error}");
        assert_eq!(verify(&path).unwrap().fault, None);
    }
}

#[test]
fn a_log_whose_name_is_not_durable_is_not_opened() {
    let (_directory, path) = place();
    let error = failing(&[FSYNC], || Log::open(options(&path)).map(drop)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
}

#[test]
fn a_torn_end_that_cannot_be_kept_stays_where_it_is() {
    let (_directory, path) = place();
    open(&path).log.append(NOW, &permitted("a")).unwrap();
    let torn = [std::fs::read(&path).unwrap(), b"{\"v\":1,".to_vec()].concat();
    std::fs::write(&path, &torn).unwrap();
    for call in [FSYNC, FTRUNCATE] {
        let error = failing(&[call], || Log::open(options(&path)).map(drop)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), torn);
    }
    assert_eq!(open(&path).log.append(NOW, &permitted("b")).unwrap().sequence, 2);
}

#[test]
fn a_record_that_is_not_written_is_no_record() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    let error = failing(&[WRITE], || log.append(NOW, &permitted("b"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert_eq!(log.append(NOW, &permitted("c")).unwrap().sequence, 2);
    assert_eq!(verify(&path).unwrap().fault, None);
}

/// The record is durable, and that is what counts: its head may follow with the next one.
#[test]
fn a_head_that_cannot_be_written_lags_behind() {
    let (_directory, path) = place();
    let log = open(&path).log;
    assert_eq!(
        failing(&[PWRITE], || log.append(NOW, &permitted("a")))
            .unwrap()
            .sequence,
        1
    );
    assert_eq!(verify(&path).unwrap().fault, None);
    drop(log);
    assert_eq!(open(&path).log.append(NOW, &permitted("b")).unwrap().sequence, 2);
    assert_eq!(verify(&path).unwrap().fault, None);
}

/// Whatever fails on the way, the log goes on in one of the two files, and loses nothing.
#[test]
fn a_change_of_files_that_fails_leaves_the_chain_whole() {
    for call in [FSYNC, FDATASYNC, WRITE, PWRITE, LINKAT] {
        let (_directory, path) = place();
        let log = open(&path).log;
        log.append(NOW, &permitted("a")).unwrap();
        let _failed = failing(&[call], || log.rotate(NOW)).is_err();
        let found = verify(&path).unwrap();
        assert_eq!(found.fault, None, "call {call}");
        drop(log);
        let next = open(&path).log.append(NOW, &permitted("b")).unwrap().sequence;
        assert_eq!(next, found.good + 1, "call {call}");
        assert_eq!(verify(&path).unwrap().fault, None, "call {call}");
    }
}
