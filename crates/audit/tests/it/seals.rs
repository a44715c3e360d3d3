//! Checkpoints: signed, kept beside the log and elsewhere.

use portcullis_audit::{Checkpoint, Outcome, verify, verify_against};

use crate::common::{NOW, asked, finished, open, permitted, place};

#[test]
fn a_checkpoint_says_where_the_log_ended() {
    let (_directory, path) = place();
    let log = open(&path).log;
    assert_eq!(log.seal(NOW).unwrap(), None);
    log.append(NOW, &permitted("a")).unwrap();
    let receipt = log.append(NOW, &finished("a", 1, Outcome::Done)).unwrap();
    let seal = log.seal(NOW).unwrap().unwrap();
    assert_eq!((seal.sequence(), seal.hash()), (receipt.sequence, receipt.hash));
    assert_eq!(Checkpoint::read(&seal.to_string()).unwrap(), seal);
    // The key is the log's own, and stays.
    log.append(NOW, &asked("b")).unwrap();
    let later = open(&path).log.seal(NOW).unwrap().unwrap();
    assert_eq!(later.key(), seal.key());
    let found = verify_against(&path, std::slice::from_ref(&seal)).unwrap();
    assert_eq!((found.fault, found.checkpoints), (None, 3));
    for name in ["jsonl.seal.key", "jsonl.seals"] {
        let found = path.with_extension(name).metadata().unwrap();
        assert_eq!(std::os::unix::fs::MetadataExt::mode(&found) & 0o7777, 0o600);
    }
}

/// Whoever has the whole directory can write a new log with head and key; a checkpoint that was kept elsewhere tells.
#[test]
fn a_log_that_was_made_anew_does_not_stand_against_a_checkpoint() {
    let ((_one, path), (_two, other)) = (place(), place());
    for path in [&path, &other] {
        let log = open(path).log;
        for at in 0..3 {
            log.append(NOW, &permitted(&at.to_string())).unwrap();
        }
    }
    let same = open(&path).log.seal(NOW).unwrap().unwrap();
    // The same events at the same times are the same chain: the key of a checkpoint tells whose it is.
    assert_eq!(
        verify_against(&other, std::slice::from_ref(&same)).unwrap().fault,
        None
    );
    assert_ne!(open(&other).log.seal(NOW).unwrap().unwrap().key(), same.key());

    open(&path).log.append(NOW, &asked("mine")).unwrap();
    let mine = open(&path).log.seal(NOW).unwrap().unwrap();
    open(&other).log.append(NOW, &asked("forged")).unwrap();
    let found = verify_against(&other, std::slice::from_ref(&mine)).unwrap();
    assert_eq!(found.good, 3);
    assert_eq!(
        found.fault.unwrap().to_string(),
        "line 4: it is not the record that a checkpoint knows as 4"
    );
}

#[test]
fn a_log_shorter_than_its_checkpoint_was_cut_off() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for at in 0..3 {
        log.append(NOW, &permitted(&at.to_string())).unwrap();
    }
    let seal = log.seal(NOW).unwrap().unwrap();
    drop(log);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    std::fs::write(&path, lines[..2].concat()).unwrap();
    // Head and key gone as well: what stands alone is whole in itself.
    for suffix in ["jsonl.head", "jsonl.key"] {
        std::fs::remove_file(path.with_extension(suffix)).unwrap();
    }
    let kept = verify(&path)
        .unwrap()
        .fault
        .expect("the checkpoint kept beside the log tells");
    assert!(kept.to_string().contains("a checkpoint knows record 3"), "{kept}");
    std::fs::remove_file(path.with_extension("jsonl.seals")).unwrap();
    assert_eq!(verify(&path).unwrap().fault, None);
    assert!(verify_against(&path, &[seal]).unwrap().fault.is_some());
}

#[test]
fn checkpoints_hold_across_files() {
    let (_directory, path) = place();
    let log = open(&path).log;
    let mut seals = Vec::new();
    for at in 0..6 {
        log.append(NOW, &permitted(&at.to_string())).unwrap();
        seals.extend(log.seal(NOW).unwrap());
        if at % 2 == 1 {
            log.rotate(NOW).unwrap();
            seals.extend(log.seal(NOW).unwrap());
        }
    }
    let found = verify_against(&path, &seals).unwrap();
    assert_eq!((found.fault, found.checkpoints), (None, 2 * seals.len()));
}

#[test]
fn a_spoiled_checkpoint_beside_the_log_is_told() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    log.seal(NOW).unwrap();
    let seals = path.with_extension("jsonl.seals");
    let text = std::fs::read_to_string(&seals)
        .unwrap()
        .replace("\"seq\":1", "\"seq\":2");
    std::fs::write(seals, text).unwrap();
    let fault = verify(&path).unwrap().fault.unwrap();
    assert!(fault.to_string().contains("cannot be read"), "{fault}");
}
