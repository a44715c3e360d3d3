//! What befalls the log of a gate that runs: before a call, while a person is asked, and while the call runs.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use portcullis_gate::{Cancel, Moment, RefusalKind, effects};
use portcullis_testing::{with_own_mounts, without_override};
use rstest::rstest;
use rustix::mount::mount_bind_recursive;

use super::{Hard, gate_of, log_path, open, yes};

type Strike = fn(&Path);

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The name of something that is put out of the way.
fn away(path: &Path) -> std::path::PathBuf {
    path.with_extension("away")
}

const fn nothing(_: &Path) {}

/// The directory of the log, what is done to it, and what undoes that. Where nothing does, the gate refuses for good.
#[rstest]
#[case::directory_deleted(|logs: &Path| fs::remove_dir_all(logs).unwrap(), nothing, false)]
#[case::directory_moved_away(|logs: &Path| fs::rename(logs, away(logs)).unwrap(),
    |logs: &Path| fs::rename(away(logs), logs).unwrap(), true)]
#[case::directory_replaced(|logs: &Path| { fs::rename(logs, away(logs)).unwrap(); fs::create_dir(logs).unwrap() },
    |logs: &Path| { fs::remove_dir(logs).unwrap(); fs::rename(away(logs), logs).unwrap() }, true)]
#[case::directory_replaced_by_a_link(|logs: &Path| { fs::rename(logs, away(logs)).unwrap(); fs::create_dir(logs.with_extension("other")).unwrap(); symlink(logs.with_extension("other"), logs).unwrap() },
    |logs: &Path| { fs::remove_file(logs).unwrap(); fs::rename(away(logs), logs).unwrap() }, true)]
#[case::log_deleted(|logs: &Path| fs::remove_file(logs.join("audit.jsonl")).unwrap(), nothing, false)]
#[case::log_replaced_by_a_link(|logs: &Path| { let log = logs.join("audit.jsonl"); fs::rename(&log, away(&log)).unwrap(); symlink(away(&log), log).unwrap() },
    |logs: &Path| { let log = logs.join("audit.jsonl"); fs::rename(away(&log), log).unwrap() }, true)]
#[case::log_replaced_by_a_copy(|logs: &Path| { let log = logs.join("audit.jsonl"); fs::rename(&log, away(&log)).unwrap(); fs::copy(away(&log), log).unwrap(); },
    |logs: &Path| { let log = logs.join("audit.jsonl"); fs::rename(away(&log), log).unwrap() }, true)]
#[case::log_opened_to_others(|logs: &Path| mode(&logs.join("audit.jsonl"), 0o622),
    |logs: &Path| mode(&logs.join("audit.jsonl"), 0o600), true)]
#[case::log_given_a_second_name(|logs: &Path| fs::hard_link(logs.join("audit.jsonl"), logs.join("second")).unwrap(),
    |logs: &Path| fs::remove_file(logs.join("second")).unwrap(), true)]
#[case::log_emptied(|logs: &Path| fs::write(logs.join("audit.jsonl"), "").unwrap(), nothing, false)]
#[case::log_with_a_foreign_line(|logs: &Path| { let log = logs.join("audit.jsonl"); let text = fs::read_to_string(&log).unwrap(); fs::write(log, format!("{text}{{\"v\":1}}\n")).unwrap() }, nothing, false)]
fn nothing_runs_while_the_log_is_not_itself(
    #[case] strike: Strike,
    #[case] undo: Strike,
    #[case] heals: bool,
    #[values(false, true)] while_asked: bool,
) {
    let dir = tempfile::tempdir().unwrap();
    let hard = Hard::below(dir.path());
    assert_eq!(hard.tried("before"), Ok(()));
    if while_asked {
        let pending = hard.asked("asked");
        strike(&hard.logs());
        let (reply, now) = (yes(&pending), Moment(0));
        let refusal = pending.settle(reply, now).unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Fault);
        assert_eq!(
            refusal.to_string(),
            "not run: the gate itself failed: the audit log cannot be written"
        );
        assert!(hard.is_there("asked"));
    } else {
        strike(&hard.logs());
    }
    for name in ["first", "second"] {
        assert_eq!(hard.tried(name), Err(RefusalKind::Fault));
    }
    undo(&hard.logs());
    assert_eq!(hard.tried("after").is_ok(), heals);
    if heals {
        hard.assert_good();
    }
}

/// The decision stands; that its end cannot be recorded is said, and never that the call did not run.
#[test]
fn an_effect_whose_end_cannot_be_recorded_is_told_as_one_that_ran() {
    let dir = tempfile::tempdir().unwrap();
    let hard = Hard::below(dir.path());
    let pending = hard.asked("a");
    let reply = yes(&pending);
    let permit = pending.settle(reply, Moment(0)).unwrap();
    let (log, held) = (hard.log(), away(&hard.log()));
    fs::rename(&log, &held).unwrap();
    let refusal = effects::perform(permit).unwrap_err();
    assert!(refusal.effect_happened() && !hard.is_there("a"), "{refusal}");
    fs::rename(&held, &log).unwrap();
    let found = portcullis_audit::verify(&log).unwrap();
    assert_eq!((found.fault, found.open_decisions), (None, vec![2]));
}

/// A user without the rights of root loses them on the directory, then gets them back.
#[rstest]
#[case::no_search(0o000, Err(RefusalKind::Fault))]
#[case::no_search_but_names(0o600, Err(RefusalKind::Fault))]
// What is open for writing stays so: such a directory takes no new name and every record.
#[case::no_new_names(0o500, Ok(()))]
fn permission_withdrawn_while_it_runs(#[case] withdrawn: u32, #[case] meanwhile: Result<(), RefusalKind>) {
    without_override(|| {
        let dir = tempfile::tempdir().unwrap();
        let hard = Hard::below(dir.path());
        assert_eq!(hard.tried("before"), Ok(()));
        mode(&hard.logs(), withdrawn);
        assert_eq!(hard.tried("meanwhile"), meanwhile);
        let again = open(&hard.log(), 100)
            .map(drop)
            .map_err(|error| error.to_string());
        assert_eq!(again.is_ok(), meanwhile.is_ok(), "{again:?}");
        mode(&hard.logs(), 0o700);
        assert_eq!(hard.tried("after"), Ok(()));
        hard.assert_good();
    });
}

/// Where a log cannot be made, there is no gate.
#[test]
fn no_log_is_made_where_nothing_can_be() {
    without_override(|| {
        let dir = tempfile::tempdir().unwrap();
        for withdrawn in [0o555, 0o500, 0o400, 0o000] {
            mode(dir.path(), withdrawn);
            let error = open(&dir.path().join("audit.jsonl"), 100)
                .unwrap_err()
                .to_string();
            assert!(error.contains("permission denied"), "{withdrawn:o}: {error}");
        }
        mode(dir.path(), 0o700);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    });
}

#[test]
fn a_read_only_mount_takes_no_log() {
    with_own_mounts("a_read_only_mount_takes_no_log", || {
        let dir = tempfile::tempdir().unwrap();
        let hard = Hard::below(dir.path());
        assert_eq!(hard.tried("before"), Ok(()));
        let (logs, log) = (hard.logs(), hard.log());
        mount_bind_recursive(&logs, &logs).unwrap();
        read_only(&logs);
        // What was opened before may still be written, and is the same log.
        assert_eq!(hard.tried("meanwhile"), Ok(()));
        for path in [log, logs.join("new.jsonl")] {
            let error = open(&path, 100).unwrap_err().to_string();
            assert!(error.contains("read-only"), "{error}");
        }
        rustix::mount::unmount(&logs, rustix::mount::UnmountFlags::DETACH).unwrap();
        hard.assert_good();
        let next = gate_of(
            &hard.base,
            open(&log_path(&hard.base), 100).unwrap(),
            portcullis_gate::StillClock::at(Moment(0)),
        );
        drop(next.submit(hard.deletion("after"), &Cancel::new()));
        hard.assert_good();
    });
}

fn read_only(at: &Path) {
    use rustix::mount::{MountFlags, mount_remount};
    mount_remount(at, MountFlags::BIND | MountFlags::RDONLY, "").unwrap();
}
