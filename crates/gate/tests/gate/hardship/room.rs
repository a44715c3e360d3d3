//! No room: a disk that is full, at every byte of a record, and one that takes bytes and does not keep them.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use portcullis_gate::{Moment, RefusalKind, StillClock};
use portcullis_testing::{failing, with_own_mounts};
use rstest::rstest;
use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::{Hard, gate_of, log_path, open};

/// `fdatasync`, `fsync`, `ftruncate`, `write` by their numbers.
#[cfg(target_arch = "x86_64")]
const CALLS: [i64; 4] = [75, 74, 77, 1];
#[cfg(target_arch = "aarch64")]
const CALLS: [i64; 4] = [83, 82, 46, 64];

fn length(hard: &Hard) -> u64 {
    std::fs::metadata(hard.log()).unwrap().len()
}

/// The write of a record, or the wait until it is durable, fails: the call does not run. Where the record cannot even
/// be taken back, the gate stays shut until the log is opened anew.
#[rstest]
#[case::no_room(&[CALLS[3]], Errno::NOSPC, true)]
#[case::over_quota(&[CALLS[3]], Errno::DQUOT, true)]
#[case::not_kept(&[CALLS[0]], Errno::IO, true)]
#[case::not_kept_for_want_of_room(&[CALLS[0]], Errno::NOSPC, true)]
#[case::not_kept_and_not_taken_back(&[CALLS[0], CALLS[2]], Errno::IO, false)]
#[case::not_kept_and_taken_back_in_doubt(&[CALLS[0], CALLS[1]], Errno::IO, false)]
fn a_record_that_is_not_durable_permits_nothing(
    #[case] calls: &[i64],
    #[case] errno: Errno,
    #[case] goes_on: bool,
) {
    let dir = tempfile::tempdir().unwrap();
    let hard = Hard::below(dir.path());
    assert_eq!(hard.tried("before"), Ok(()));
    // The tests' own files are made by a thread that may write.
    let call = hard.deletion("meanwhile");
    failing(calls, errno, || {
        let mut person = portcullis_gate::Scripted::new([portcullis_gate::Behaviour::Say(
            portcullis_gate::Answer::AllowOnce,
        )]);
        let cancel = portcullis_gate::Cancel::new();
        let refusal = hard.gate.decide(call, &mut person, &cancel).unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Fault);
    });
    assert!(hard.is_there("meanwhile"));
    let after = if goes_on { Ok(()) } else { Err(RefusalKind::Fault) };
    assert_eq!(hard.tried("after"), after);
    let again = Hard::below(dir.path());
    assert_eq!(again.tried("anew"), Ok(()));
    again.assert_good();
}

const SCENE: &str = "PORTCULLIS_GATE_ROOM_SCENE";

/// Not a test of its own: what the process does whose files may not grow.
#[test]
fn child() {
    let Some(base) = std::env::var_os(SCENE).map(PathBuf::from) else {
        return;
    };
    let hard = Hard::below(&base);
    let room = |bytes: Option<u64>| {
        setrlimit(
            Resource::Fsize,
            Rlimit {
                current: bytes,
                maximum: None,
            },
        )
        .unwrap();
    };
    assert_eq!(hard.tried("before"), Ok(()));
    let text = std::fs::read_to_string(hard.log()).unwrap();
    let question = u64::try_from(text.lines().next().unwrap().len()).unwrap() + 1;
    let decision = u64::try_from(text.lines().nth(1).unwrap().len()).unwrap() + 1;
    // The names of the calls are as long as the first one's, and so are their records, or a digit longer. Within the
    // question each byte is tried; within the decision, which leaves a question behind each time, every 41st.
    let within = (0..question).chain((question..question + decision - 40).step_by(41));
    for left in within {
        room(Some(length(&hard) + left));
        let ended = hard.tried("beyond");
        room(None);
        assert_eq!(ended, Err(RefusalKind::Fault), "{left} bytes were left");
        hard.assert_good();
    }
    assert_eq!(hard.tried("after"), Ok(()));
    hard.assert_good();
}

#[test]
fn a_disk_that_is_full_at_any_byte_of_a_record_permits_nothing() {
    let shared = Path::new("/dev/shm");
    let dir = match shared.is_dir() {
        true => tempfile::tempdir_in(shared),
        false => tempfile::tempdir(),
    };
    let dir = dir.unwrap();
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["hardship::room::child", "--exact", "--nocapture"])
        .env(SCENE, dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{complained}"
    );
}

#[test]
fn a_full_file_system_permits_nothing_until_it_has_room_again() {
    with_own_mounts(
        "a_full_file_system_permits_nothing_until_it_has_room_again",
        || {
            let dir = tempfile::tempdir().unwrap();
            let logs = dir.path().join("logs");
            std::fs::create_dir(&logs).unwrap();
            mount("none", &logs, "tmpfs", MountFlags::empty(), c"size=256k,mode=700").unwrap();
            let hard = Hard::below(dir.path());
            let filler = logs.join("filler");
            let mut refused = 0;
            for round in 0..8 {
                // All but what is left of the log's last page.
                let mut file = std::fs::File::create(&filler).unwrap();
                while file.write_all(&[0; 4096]).is_ok() {}
                drop(file);
                let full = (0..10).find(|call| hard.tried(&format!("{round}-{call}")).is_err());
                assert!(full.is_some(), "round {round}");
                refused += 1;
                hard.assert_good();
                // Nor is a log begun that could not be kept.
                assert!(open(&logs.join(format!("new{round}")), 100).is_err());
                std::fs::remove_file(&filler).unwrap();
                assert_eq!(hard.tried(&format!("{round}-again")), Ok(()));
                hard.assert_good();
            }
            assert_eq!(refused, 8);
            let log = open(&log_path(&hard.base), 100).unwrap();
            drop(gate_of(&hard.base, log, StillClock::at(Moment(0))));
            unmount(&logs, UnmountFlags::DETACH).unwrap();
        },
    );
}
