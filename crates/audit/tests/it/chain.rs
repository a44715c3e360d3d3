//! A log's records form one chain, and every damage to it is found.

use crate::common::{NOW, asked, decided, finished, open, permitted, place};
use portcullis_audit::{Decision, ErrorKind, Event, Log, Outcome, Reader, Redacted, verify};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        "\\PC{0,20}".prop_map(|call| asked(&call)),
        any::<String>().prop_map(|call| permitted(&call)),
        any::<String>().prop_map(|call| decided(&call, Decision::Refused { code: "timeout" })),
        any::<String>().prop_map(|call| decided(&call, Decision::HandedToHost)),
        (any::<String>(), 1..12_u64).prop_map(|(call, decision)| finished(&call, decision, Outcome::Done)),
        any::<String>().prop_map(|text| {
            finished(
                "c",
                1,
                Outcome::Failed {
                    reason: Redacted::text(&text),
                },
            )
        }),
    ];
    prop::collection::vec(event, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_appended_reads_back_dense_and_good(events in events(), reopen in any::<u16>()) {
        let (_directory, path) = place();
        let mut log = open(&path).log;
        for (at, event) in events.iter().enumerate() {
            if reopen >> (at % 16) & 1 == 1 {
                log = open(&path).log;
            }
            let receipt = log.append(NOW, event).unwrap();
            prop_assert_eq!(receipt.sequence, at as u64 + 1);
        }
        let found = verify(&path).unwrap();
        prop_assert_eq!(found.good, events.len() as u64);
        prop_assert_eq!(found.fault, None);
        prop_assert!(!found.torn);
        let sequences: Vec<_> = Reader::open(&path).unwrap().map(|entry| entry.unwrap().sequence()).collect();
        let dense: Vec<_> = (1..=events.len() as u64).map(Some).collect();
        prop_assert_eq!(sequences, dense);
    }

    #[test]
    fn any_flipped_byte_before_the_last_line_is_found(
        events in events(), place_in_log in any::<prop::sample::Index>(), bits in 1..=255_u8
    ) {
        let (_directory, path) = place();
        let log = open(&path).log;
        for event in &events {
            log.append(NOW, event).unwrap();
        }
        log.append(NOW, &asked("last")).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        let flipped = place_in_log.index(last);
        let line = bytes[..flipped].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        bytes[flipped] ^= bits;
        std::fs::write(&path, &bytes).unwrap();
        let found = verify(&path).unwrap();
        let fault = found.fault.expect("the flipped byte must be found");
        prop_assert!(fault.line <= line, "{fault}, but the byte was in line {line}");
        prop_assert_eq!(found.good, fault.line - 1);
        prop_assert!(!found.torn);
    }
}

#[test]
fn every_single_flip_of_a_short_log_is_found() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for call in ["a", "b"] {
        log.append(NOW, &permitted(call)).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap();
    let last = bytes[..bytes.len() - 1]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .unwrap()
        + 1;
    for at in 0..last {
        for bits in [1, bytes[at]] {
            let mut bytes = bytes.clone();
            bytes[at] ^= bits;
            std::fs::write(&path, &bytes).unwrap();

            let fault = verify(&path).unwrap().fault.expect("found");
            assert!(fault.line == 1, "byte {at}: {fault}");
        }
    }
}

#[test]
fn a_log_cut_at_every_byte_of_its_last_record_goes_on() {
    let (directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    let kept = std::fs::read(&path).unwrap().len();
    // What a crash leaves is a head that does not know the record yet.
    let head_path = path.with_extension("jsonl.head");
    let head = std::fs::read(&head_path).unwrap();
    log.append(NOW, &asked("b")).unwrap();
    drop(log);
    let whole = std::fs::read(&path).unwrap();
    for cut in kept + 1..whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        std::fs::write(&head_path, &head).unwrap();
        let before = verify(&path).unwrap();
        assert_eq!(
            (before.good, before.fault, before.torn),
            (1, None, true),
            "cut at {cut}"
        );

        let opened = open(&path);
        let torn = opened.torn.expect("the torn end is reported");
        assert_eq!(std::fs::read(&torn).unwrap(), &whole[kept..cut], "cut at {cut}");
        assert!(torn.starts_with(directory.path()));
        assert_eq!(opened.log.append(NOW, &asked("again")).unwrap().sequence, 2);
        let after = verify(&path).unwrap();
        assert_eq!(
            (after.good, after.fault, after.torn),
            (2, None, false),
            "cut at {cut}"
        );
    }
}

#[test]
fn torn_ends_never_overwrite_each_other() {
    let (directory, path) = place();
    open(&path).log.append(NOW, &permitted("a")).unwrap();
    let good = std::fs::read(&path).unwrap();
    let mut names = Vec::new();
    for torn in ["{\"v\":1", "{\"v\":2", "\0\0\0\0"] {
        std::fs::write(&path, [good.as_slice(), torn.as_bytes()].concat()).unwrap();
        let kept = open(&path).torn.unwrap();
        assert_eq!(std::fs::read(&kept).unwrap(), torn.as_bytes());
        names.push(kept.file_name().unwrap().to_owned());
    }
    assert_eq!(
        names,
        [
            "audit.jsonl.torn-2",
            "audit.jsonl.torn-2-1",
            "audit.jsonl.torn-2-2"
        ]
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 6);
}

#[test]
fn a_broken_chain_takes_no_further_record() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for call in ["aaa", "bbb", "ccc"] {
        log.append(NOW, &permitted(call)).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap().replace("bbb", "bxb");
    std::fs::write(&path, &text).unwrap();
    let error = Log::open(crate::common::options(&path)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken, "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_record_forged_behind_an_open_log_stops_it() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    let line = std::fs::read_to_string(&path).unwrap();
    for forged in [line.clone(), line.replace("\"seq\":1", "\"seq\":2")] {
        std::fs::write(&path, format!("{line}{forged}")).unwrap();
        let error = log.append(NOW, &permitted("b")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Broken, "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{line}{forged}"));
    }
    std::fs::write(&path, "").unwrap();
    let error = log.append(NOW, &permitted("b")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken, "{error}");
}

#[test]
fn removed_swapped_and_repeated_lines_are_found() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for call in ["a", "b", "c", "d"] {
        log.append(NOW, &permitted(call)).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (order, line) in [
        (vec![1, 2, 3], 1),
        (vec![0, 2, 3], 2),
        (vec![0, 2, 1, 3], 2),
        (vec![0, 1, 1, 2], 3),
    ] {
        let mixed: String = order.iter().map(|at| format!("{}\n", lines[*at])).collect();
        std::fs::write(&path, mixed).unwrap();
        let found = verify(&path).unwrap();
        assert_eq!(found.fault.map(|fault| fault.line), Some(line), "{order:?}");
        assert_eq!(found.good, line - 1);
    }
}

/// Gives a changed line a hash that fits it again: what a forger would do.
fn resealed(line: &str) -> String {
    let (covered, _) = line.rsplit_once(",\"hash\":").unwrap_or((line, ""));
    let hash: String = Sha256::digest(covered)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{covered},\"hash\":\"{hash}\"}}\n")
}

/// The hash that a line names as its own.
fn log_hash(line: &str) -> &str {
    line.rsplit('"').nth(1).unwrap_or_default()
}

#[test]
fn a_forged_record_with_a_hash_of_its_own_does_not_fit_in() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for call in ["a", "b", "c"] {
        log.append(NOW, &permitted(call)).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(resealed(lines[1]), format!("{}\n", lines[1]));
    let forged = lines[1].replace("\"call\":\"b\"", "\"call\":\"x\"");
    let holed = lines[2].replace("\"seq\":3", "\"seq\":4");
    let repeated = lines[2].replace("\"seq\":3", "\"seq\":2");
    let before = log_hash(lines[1]);
    let strange = lines[2].replace(before, &"5".repeat(64));
    for (third, second, what) in [
        (
            lines[2].to_owned(),
            forged,
            "line 3: it does not name the hash of the record before it",
        ),
        (
            holed,
            lines[1].to_owned(),
            "line 3: it has sequence number 4, which does not follow 2",
        ),
        (
            repeated,
            lines[1].to_owned(),
            "line 3: it has sequence number 2, which does not follow 2",
        ),
        (
            strange,
            lines[1].to_owned(),
            "line 3: it does not name the hash of the record before it",
        ),
    ] {
        let mixed = format!("{}\n{}{}", lines[0], resealed(&second), resealed(&third));
        std::fs::write(&path, mixed).unwrap();
        assert_eq!(verify(&path).unwrap().fault.unwrap().to_string(), what);
        assert_eq!(
            Log::open(crate::common::options(&path)).unwrap_err().kind(),
            ErrorKind::Broken
        );
    }
}

#[test]
fn decisions_without_an_outcome_stay_open() {
    let (_directory, path) = place();
    let log = open(&path).log;
    let first = log.append(NOW, &permitted("a")).unwrap().sequence;
    let second = log.append(NOW, &permitted("b")).unwrap().sequence;
    log.append(NOW, &decided("c", Decision::Refused { code: "timeout" }))
        .unwrap();
    log.append(NOW, &decided("d", Decision::HandedToHost)).unwrap();
    assert_eq!(verify(&path).unwrap().open_decisions, [first, second]);
    log.append(NOW, &finished("a", first, Outcome::Unused)).unwrap();
    assert_eq!(verify(&path).unwrap().open_decisions, [second]);
}

#[test]
fn a_newer_format_is_named_and_not_appended_to() {
    let (_directory, path) = place();
    open(&path).log.append(NOW, &permitted("a")).unwrap();
    let good = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{good}{{\"v\":2,\"anything\":true}}\n")).unwrap();
    let fault = verify(&path).unwrap().fault.unwrap();
    assert_eq!(
        fault.to_string(),
        "line 2: it has format version 2, which is newer than version 1 that is understood here"
    );
    assert_eq!(
        Log::open(crate::common::options(&path)).unwrap_err().kind(),
        ErrorKind::Broken
    );
}

#[test]
fn endless_lines_are_read_in_bounded_memory() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    let good = std::fs::read(&path).unwrap();
    let long = vec![b'x'; 1 << 20];
    std::fs::write(&path, [&good[..], &long, b"\n", &good].concat()).unwrap();
    let fault = verify(&path).unwrap().fault.unwrap();
    assert_eq!(fault.to_string(), "line 2: it is longer than a record may be");

    std::fs::write(&path, [&good[..], &long].concat()).unwrap();
    assert!(verify(&path).unwrap().torn);
    let torn = open(&path).torn.unwrap();
    assert_eq!(std::fs::read(torn).unwrap(), long);
    assert_eq!(verify(&path).unwrap().good, 1);
}
