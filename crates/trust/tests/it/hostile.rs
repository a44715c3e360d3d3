//! A store that is not what it should be: a defined answer, and nothing touched.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use portcullis_trust::{ErrorKind, Save, Store};
use rstest::rstest;

use crate::scene::{Scene, is_trusted, source};

fn both_refuse(store: &Store, kind: ErrorKind) {
    assert_eq!(store.load().unwrap_err().kind(), kind);
    let error = store.save(&[(Path::new("/x"), Save::Yes)]).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
}

#[rstest]
#[case::empty(b"")]
#[case::cut(b"{\"/w\": tr")]
#[case::array(b"[]")]
#[case::wrong_value(b"{\"/w\": \"yes\"}")]
#[case::twice(b"{\"/w\": true, \"/w\": false}")]
#[case::no_text(b"{\"\xff\": true}")]
fn content_that_is_none_is_left_as_it_is(#[case] bytes: &[u8]) {
    let scene = Scene::with_settings();
    scene.stored(bytes);
    both_refuse(&scene.store, ErrorKind::Content);
    assert_eq!(std::fs::read(scene.store.path()).unwrap(), bytes);
    let outcome = scene.decide(&scene.project());
    assert_eq!(
        (is_trusted(&outcome), source(&outcome)),
        (false, "store unusable")
    );
}

#[test]
fn ten_megabytes_of_garbage_are_not_read() {
    let scene = Scene::with_settings();
    scene.stored(&b"x".repeat(10 << 20));
    both_refuse(&scene.store, ErrorKind::Place);
    assert_eq!(std::fs::metadata(scene.store.path()).unwrap().len(), 10 << 20);
}

#[test]
fn a_link_in_its_place_is_not_followed() {
    let scene = Scene::with_settings();
    let victim = scene.path("victim.json");
    std::fs::write(&victim, "{}").unwrap();
    std::fs::create_dir_all(scene.store.path().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&victim, scene.store.path()).unwrap();
    both_refuse(&scene.store, ErrorKind::Place);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "{}");
    assert!(
        std::fs::symlink_metadata(scene.store.path())
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn another_name_of_a_file_is_not_the_users_own() {
    let scene = Scene::with_settings();
    scene.stored(b"{}");
    std::fs::hard_link(scene.store.path(), scene.path("other")).unwrap();
    both_refuse(&scene.store, ErrorKind::Place);
}

#[test]
fn a_directory_in_its_place_is_refused() {
    let scene = Scene::with_settings();
    std::fs::create_dir_all(scene.store.path()).unwrap();
    both_refuse(&scene.store, ErrorKind::Place);
}

#[test]
fn a_fifo_in_its_place_does_not_hold_anybody_up() {
    let scene = Scene::with_settings();
    std::fs::create_dir_all(scene.store.path().parent().unwrap()).unwrap();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        scene.store.path(),
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
    )
    .unwrap();
    both_refuse(&scene.store, ErrorKind::Place);
}

#[test]
fn a_file_that_others_can_write_is_refused() {
    let scene = Scene::with_settings();
    scene.stored(b"{}");
    for mode in [0o620, 0o602, 0o666] {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(scene.store.path(), mode).unwrap();
        both_refuse(&scene.store, ErrorKind::Place);
    }
}

/// Only root can give a file away; for anybody else another user's file is tried, which is there on every system.
#[test]
fn a_file_of_another_user_is_refused() {
    let scene = Scene::with_settings();
    scene.stored(b"{}");
    let given = std::os::unix::fs::chown(scene.store.path(), Some(65_534), None);
    let store = match given {
        Ok(()) => scene.store.clone(),
        Err(_) => Store::new("/etc/passwd"),
    };
    assert_eq!(store.load().unwrap_err().kind(), ErrorKind::Place);
}

#[test]
fn what_a_killed_process_left_does_not_matter() {
    let scene = Scene::with_settings();
    scene.stored(b"{}");
    let mut half = scene.store.path().as_os_str().to_owned();
    half.push(".new");
    std::fs::write(&half, "{\"/half").unwrap();
    scene.store.save(&[(Path::new("/x"), Save::Yes)]).unwrap();
    assert_eq!(scene.saved(), "{\n  \"/x\": true\n}\n");
    assert!(!Path::new(&half).exists());
}

#[test]
fn a_store_is_made_for_its_owner_alone() {
    let scene = Scene::empty();
    scene.store.save(&[(Path::new("/x"), Save::No)]).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(scene.store.path()), 0o600);
    assert_eq!(mode(scene.store.path().parent().unwrap()), 0o700);
    scene.store.save(&[(Path::new("/x"), Save::Forget)]).unwrap();
    assert_eq!(scene.saved(), "{}\n");
}

#[test]
fn a_byte_order_mark_is_tolerated() {
    let scene = Scene::with_settings();
    let text = format!("\u{feff}{{\"{}\": true}}", scene.project().display());
    scene.stored(text.as_bytes());
    assert!(is_trusted(&scene.decide(&scene.project())));
}

#[test]
fn a_directory_that_the_format_cannot_hold_is_an_error() {
    let scene = Scene::empty();
    for directory in ["relative", ""] {
        let error = scene
            .store
            .save(&[(Path::new(directory), Save::Yes)])
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Content);
    }
    let bytes: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"/w/\xff");
    let changes = [(Path::new("/fine"), Save::Yes), (Path::new(bytes), Save::Yes)];
    assert!(scene.store.save(&changes).is_err());
    assert!(!scene.store.path().exists(), "all or none");
}

#[test]
fn the_lock_of_pi_is_waited_for_and_an_old_one_is_taken_away() {
    let scene = Scene::empty();
    scene.stored(b"{}");
    let mut lock = scene.store.path().as_os_str().to_owned();
    lock.push(".lock");
    std::fs::create_dir(&lock).unwrap();
    let old = std::time::SystemTime::UNIX_EPOCH;
    std::fs::File::open(&lock).unwrap().set_modified(old).unwrap();
    scene.store.save(&[(Path::new("/x"), Save::Yes)]).unwrap();
    assert!(!Path::new(&lock).exists());

    std::fs::create_dir(&lock).unwrap();
    let waiting = std::thread::spawn({
        let store = scene.store.clone();
        move || store.save(&[(Path::new("/y"), Save::Yes)])
    });
    assert!(!scene.saved().contains("/y"), "a fresh lock is somebody's");
    std::fs::remove_dir(&lock).unwrap();
    waiting.join().unwrap().unwrap();
    assert!(scene.saved().contains("/y"));
}
