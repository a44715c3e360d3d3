//! Owner, group, mode and access control list.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use rustix::fs::XattrFlags;
use rustix::io::Errno;

use super::Scene;
use crate::{Error, ErrorKind, Operation};

const NOBODY: u32 = 65_534;

/// Whether the test can go on; it needs to change owners.
fn is_root(test: &str) -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        assert!(std::env::var_os("CI").is_none(), "{test} needs root");
        eprintln!("SKIPPED {test}: it needs root");
    }
    root
}

/// Runs in a thread that has given up being root.
fn as_nobody(run: impl FnOnce() -> Result<(), Error> + Send) -> Result<(), Error> {
    std::thread::scope(|threads| {
        let nobody = threads.spawn(|| {
            let (user, group) = (
                rustix::fs::Uid::from_raw(NOBODY),
                rustix::fs::Gid::from_raw(NOBODY),
            );
            rustix::thread::set_thread_groups(&[]).unwrap();
            rustix::thread::set_thread_res_gid(group, group, group).unwrap();
            rustix::thread::set_thread_res_uid(user, user, user).unwrap();
            run()
        });
        nobody.join().unwrap()
    })
}

/// A scene that others may look into, with one file.
fn shared(mode: u32) -> Scene {
    let scene = Scene::new();
    std::fs::set_permissions(scene.path(""), PermissionsExt::from_mode(0o755)).unwrap();
    scene.file("d/f", "old");
    std::fs::set_permissions(scene.path("d"), PermissionsExt::from_mode(0o777)).unwrap();
    std::fs::set_permissions(scene.path("d/f"), PermissionsExt::from_mode(mode)).unwrap();
    scene
}

#[test]
fn root_keeps_the_owner() {
    if !is_root("root_keeps_the_owner") {
        return;
    }
    let scene = shared(0o640);
    chown(scene.path("d/f"), Some(1234), Some(2345)).unwrap();
    scene.target("d/f", Operation::Write).replace(b"new").unwrap();
    let meta = std::fs::metadata(scene.path("d/f")).unwrap();
    assert_eq!(
        (meta.uid(), meta.gid(), meta.mode() & 0o7777),
        (1234, 2345, 0o640)
    );
}

#[test]
fn set_user_id_does_not_outlive_the_content() {
    let scene = shared(0o4755);
    scene.target("d/f", Operation::Write).replace(b"new").unwrap();
    assert_eq!(
        std::fs::metadata(scene.path("d/f")).unwrap().mode() & 0o7777,
        0o755
    );
}

#[test]
fn a_group_that_cannot_be_kept_gets_no_more_than_others() {
    if !is_root("a_group_that_cannot_be_kept_gets_no_more_than_others") {
        return;
    }
    let scene = shared(0o664);
    let target = scene.target("d/f", Operation::Write);
    as_nobody(|| target.replace(b"new")).unwrap();
    let meta = std::fs::metadata(scene.path("d/f")).unwrap();
    assert_eq!(
        (meta.uid(), meta.gid(), meta.mode() & 0o7777),
        (NOBODY, NOBODY, 0o644)
    );
}

#[test]
fn what_the_system_denies_is_denied() {
    if !is_root("what_the_system_denies_is_denied") {
        return;
    }
    let scene = shared(0o600);
    let read = scene.target("d/f", Operation::Read);
    let error = as_nobody(|| read.read(100).map(drop)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Denied);
    let write = scene.target("d/f", Operation::Write);
    assert_eq!(
        as_nobody(|| write.write_in_place(b"new")).unwrap_err().kind(),
        ErrorKind::Denied
    );
    std::fs::set_permissions(scene.path("d"), PermissionsExt::from_mode(0o755)).unwrap();
    for operation in [Operation::Write, Operation::Delete, Operation::DeleteTree] {
        let target = scene.target("d/f", operation);
        let result = as_nobody(|| match operation {
            Operation::Write => target.replace(b"new"),
            Operation::Delete => target.remove(),
            _ => target.remove_tree(&crate::TreeLimits::default()).map(drop),
        });
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Denied, "{operation:?}");
    }
    assert_eq!(
        (scene.names("d"), scene.text("d/f")),
        (vec!["f".to_owned()], "old".to_owned())
    );
}

/// Version 2; owner rw, user 1234 r, group nothing, mask r, others nothing.
const LIST: [u8; 44] = [
    2, 0, 0, 0, //
    0x01, 0, 6, 0, 255, 255, 255, 255, //
    0x02, 0, 4, 0, 0xd2, 0x04, 0, 0, //
    0x04, 0, 0, 0, 255, 255, 255, 255, //
    0x10, 0, 4, 0, 255, 255, 255, 255, //
    0x20, 0, 0, 0, 255, 255, 255, 255, //
];
const LIST_NAME: &str = "system.posix_acl_access";

#[test]
fn an_access_control_list_is_kept() {
    let scene = shared(0o600);
    match rustix::fs::setxattr(scene.path("d/f"), LIST_NAME, &LIST, XattrFlags::empty()) {
        Err(Errno::OPNOTSUPP) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "access control lists are needed"
            );
            eprintln!("SKIPPED an_access_control_list_is_kept: the file system has none");
            return;
        }
        set => set.unwrap(),
    }
    scene.target("d/f", Operation::Write).replace(b"new").unwrap();
    let mut list = [0_u8; 100];
    let length = rustix::fs::getxattr(scene.path("d/f"), LIST_NAME, list.as_mut_slice()).unwrap();
    assert_eq!(list[..length], LIST);
    assert_eq!((scene.text("d/f").as_str(), scene.names("d").len()), ("new", 1));
}
