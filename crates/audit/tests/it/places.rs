#![expect(clippy::expect_used, reason = "a test that cannot build its scene fails")]

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use portcullis_audit::{ErrorKind, Log, LogOptions, Reader, verify};
use rstest::rstest;
use rustix::fs::{CWD, FileType, Mode, chown, mknodat};
use rustix::process::{Uid, geteuid};

use crate::common::{NOW, asked, open, options, permitted, place};

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the mode is set");
}

#[rstest]
#[case::a_link("is a symbolic link", |path: &Path| { open(&path.with_extension("real")); symlink(path.with_extension("real"), path).unwrap() })]
#[case::a_dangling_link("is a symbolic link", |path: &Path| symlink("nowhere", path).unwrap())]
#[case::a_directory("is a directory", |path: &Path| std::fs::create_dir(path).unwrap())]
#[case::a_pipe("is not a regular file", |path: &Path| mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap())]
#[case::a_socket("is not a regular file", |path: &Path| mknodat(CWD, path, FileType::Socket, Mode::RWXU, 0).unwrap())]
#[case::readable_by_others("can be reached by other users", |path: &Path| { std::fs::write(path, "").unwrap(); mode(path, 0o604) })]
#[case::writable_by_the_group("can be reached by other users", |path: &Path| { std::fs::write(path, "").unwrap(); mode(path, 0o620) })]
#[case::a_second_name("has a second name", |path: &Path| { std::fs::write(path, "").unwrap(); mode(path, 0o600); std::fs::hard_link(path, path.with_extension("2")).unwrap() })]
fn a_wrong_place_is_refused(
    #[case] what: &str,
    #[case] build: fn(&Path),
    #[values("", ".key", ".head")] suffix: &str,
) {
    let (directory, path) = place();
    let wrong = directory.path().join(format!("audit.jsonl{suffix}"));
    build(&wrong);
    let error = Log::open(options(&path)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Place, "{error}");
    assert_eq!(
        error.to_string(),
        format!("the audit log `{}` {what}", wrong.display())
    );
    assert!(!error.hint().is_empty());
}

#[test]
fn a_file_of_another_user_is_refused() {
    if !geteuid().is_root() {
        assert!(
            std::env::var_os("CI").is_none(),
            "this test needs root to give a file away"
        );
        println!("SKIPPED a_file_of_another_user_is_refused: needs root to give a file away");
        return;
    }
    let (directory, path) = place();
    for suffix in ["", ".key", ".head"] {
        open(&path);
        let given = directory.path().join(format!("audit.jsonl{suffix}"));
        chown(&given, Some(Uid::from_raw(12_345)), None).unwrap();
        let error = Log::open(options(&path)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Place, "{error}");
        assert!(error.to_string().ends_with("belongs to another user"));
        chown(&given, Some(geteuid()), None).unwrap();
    }
}

#[rstest]
#[case::no_directory("/nonexistent-directory/audit.jsonl")]
#[case::no_name("/")]
#[case::no_file_name("..")]
#[case::empty("")]
fn a_path_that_names_no_place_is_refused(#[case] path: &str) {
    let error = Log::open(LogOptions {
        path: path.into(),
        lock_wait_ms: 0,
    })
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Place, "{error}");
}

#[test]
fn files_are_made_for_the_owner_alone() {
    let (directory, path) = place();
    open(&path).log.append(NOW, &permitted("a")).unwrap();
    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&good[..], b"torn"].concat()).unwrap();
    open(&path).torn.unwrap();
    let mut names: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    let seen: Vec<_> = names
        .iter()
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                entry.metadata().unwrap().mode() & 0o7777,
            )
        })
        .collect();
    let expected = [
        "audit.jsonl",
        "audit.jsonl.head",
        "audit.jsonl.key",
        "audit.jsonl.torn-2",
    ]
    .map(|name| (name.to_owned(), 0o600));
    assert_eq!(seen, expected);
}

#[rstest]
#[case::deleted(|path: &Path| std::fs::remove_file(path).unwrap())]
#[case::replaced(|path: &Path| { std::fs::rename(path, path.with_extension("old")).unwrap(); std::fs::copy(path.with_extension("old"), path).unwrap(); })]
#[case::replaced_by_a_link(|path: &Path| { std::fs::rename(path, path.with_extension("old")).unwrap(); symlink(path.with_extension("old"), path).unwrap() })]
#[case::opened_to_others(|path: &Path| mode(path, 0o644))]
#[case::given_a_second_name(|path: &Path| std::fs::hard_link(path, path.with_extension("2")).unwrap())]
#[case::directory_swapped(|path: &Path| { let dir = path.parent().unwrap(); std::fs::rename(dir, dir.with_extension("old")).unwrap(); std::fs::create_dir(dir).unwrap() })]
#[case::directory_deleted(|path: &Path| std::fs::remove_dir_all(path.parent().unwrap()).unwrap())]
fn a_log_that_changes_its_place_while_open_takes_no_record(#[case] change: fn(&Path)) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("logs/audit.jsonl");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    let log = open(&path).log;
    log.append(NOW, &permitted("a")).unwrap();
    change(&path);
    let error = log.append(NOW, &permitted("b")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Place, "{error}");
}

#[test]
fn a_key_of_the_wrong_length_is_refused() {
    let (_directory, path) = place();
    open(&path);
    for wrong in [&b""[..], &[0; 31], &[0; 33]] {
        std::fs::write(path.with_extension("jsonl.key"), wrong).unwrap();
        let error = Log::open(options(&path)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Place, "{error}");
    }
}

#[test]
fn what_a_crash_left_of_a_key_is_no_key() {
    let (_directory, path) = place();
    std::fs::write(path.with_extension("jsonl.key.new"), "half").unwrap();
    let digest = open(&path).log.digest(b"x");
    assert_eq!(open(&path).log.digest(b"x"), digest);
    assert!(!std::fs::exists(path.with_extension("jsonl.key.new")).unwrap());
}

#[test]
fn a_lock_held_elsewhere_ends_the_wait() {
    let (_directory, path) = place();
    let log = Log::open(LogOptions {
        path: path.clone(),
        lock_wait_ms: 5,
    })
    .unwrap()
    .log;
    log.append(NOW, &asked("a")).unwrap();
    let other = std::fs::File::open(&path).unwrap();
    other.lock().unwrap();
    assert_eq!(
        log.append(NOW, &asked("b")).unwrap_err().kind(),
        ErrorKind::Locked
    );
    let again = Log::open(LogOptions {
        path,
        lock_wait_ms: 5,
    });
    assert_eq!(again.unwrap_err().kind(), ErrorKind::Locked);
    other.unlock().unwrap();
    assert_eq!(log.append(NOW, &asked("b")).unwrap().sequence, 2);
}

#[test]
fn reading_never_goes_through_a_link_and_creates_nothing() {
    let (directory, path) = place();
    assert_eq!(verify(&path).unwrap_err().kind(), ErrorKind::Place);
    assert_eq!(
        Reader::open(directory.path()).unwrap_err().kind(),
        ErrorKind::Place
    );
    symlink("/dev/null", &path).unwrap();
    assert_eq!(Reader::open(&path).unwrap_err().kind(), ErrorKind::Place);
    assert_eq!(
        verify(Path::new("/dev/null")).unwrap_err().kind(),
        ErrorKind::Place
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn an_empty_log_is_good() {
    let (_directory, path) = place();
    open(&path);
    let found = verify(&path).unwrap();
    assert_eq!((found.good, found.fault, found.torn), (0, None, false));
    assert_eq!(Reader::open(&path).unwrap().count(), 0);
}
