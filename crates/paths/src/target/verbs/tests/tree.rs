//! What is removed with a tree.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use portcullis_testing::{in_a_child, with_own_mounts};
use rstest::rstest;
use rustix::fs::{CWD, Mode, OFlags};

use super::Scene;
use crate::{ErrorKind, Operation, Removed, TreeLimits};

#[test]
fn a_tree_is_counted_and_its_links_are_names() {
    let scene = Scene::everything();
    scene.file("outside/file", "kept");
    scene.link("d/full/out", scene.path("outside"));
    let removed = scene
        .target("d", Operation::DeleteTree)
        .remove_tree(&TreeLimits::default())
        .unwrap();
    assert_eq!(removed, Removed { files: 8, dirs: 4 });
    assert!(!scene.is_there("d"));
    assert_eq!(scene.text("outside/file"), "kept");
}

#[rstest]
#[case::names(TreeLimits { names: 3, depth: 10 })]
#[case::depth(TreeLimits { names: 100, depth: 2 })]
#[case::nothing(TreeLimits { names: 0, depth: 0 })]
fn a_tree_past_the_limits_is_an_error(#[case] limits: TreeLimits) {
    let scene = Scene::everything();
    let error = scene
        .target("d", Operation::DeleteTree)
        .remove_tree(&limits)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Budget);
    assert!(scene.is_there("d"));
    assert!(scene.names("d").len() >= 5);
}

#[rstest]
fn exact_limits_suffice() {
    let scene = Scene::everything();
    let limits = TreeLimits { names: 11, depth: 3 };
    let removed = scene
        .target("d", Operation::DeleteTree)
        .remove_tree(&limits)
        .unwrap();
    assert_eq!(removed, Removed { files: 7, dirs: 4 });
}

/// As many levels as a path cannot name, made one below the other, with a file and a link in every hundredth.
fn deep(top: &std::path::Path, levels: u32) {
    std::fs::create_dir(top).unwrap();
    let flags = OFlags::PATH | OFlags::DIRECTORY;
    let mut here = rustix::fs::openat(CWD, top, flags, Mode::empty()).unwrap();
    for level in 1..levels {
        if level % 100 == 0 {
            rustix::fs::openat(&here, "a-file", OFlags::CREATE | OFlags::EXCL, Mode::RUSR)
                .map(drop)
                .unwrap();
            rustix::fs::symlinkat("/", &here, "z-link").unwrap();
        }
        rustix::fs::mkdirat(&here, "directory", Mode::RWXU).unwrap();
        here = rustix::fs::openat(&here, "directory", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn depth_costs_neither_descriptors_nor_stack() {
    if in_a_child() {
        return;
    }
    let scene = Scene::fast();
    deep(&scene.path("d"), 5_000);
    let target = scene.target("d", Operation::DeleteTree);
    let free = rustix::fs::openat(CWD, "/", OFlags::PATH, Mode::empty()).unwrap();
    let few = u64::try_from(std::os::fd::AsRawFd::as_raw_fd(&free)).unwrap() + 3;
    drop(free);
    let limit = rustix::process::Rlimit {
        current: Some(few),
        maximum: Some(few),
    };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
    let small = std::thread::Builder::new().stack_size(48 * 1024);
    let walk = small.spawn(move || target.remove_tree(&TreeLimits::default()));
    assert_eq!(
        walk.unwrap().join().unwrap().unwrap(),
        Removed {
            files: 98,
            dirs: 5_000
        }
    );
    assert!(!scene.is_there("d"));
}

#[test]
fn a_wide_tree_goes_whole() {
    let scene = Scene::fast();
    for dir in 0..700 {
        scene.file(
            &format!("d/{dir}/inner/file-with-a-rather-long-name-to-fill-the-buffer"),
            "",
        );
    }
    for file in 0..700 {
        scene.file(&format!("d/file-{file}"), "");
    }
    let removed = scene
        .target("d", Operation::DeleteTree)
        .remove_tree(&TreeLimits::default())
        .unwrap();
    assert_eq!(
        removed,
        Removed {
            files: 1_400,
            dirs: 1_401
        }
    );
}

#[rstest]
#[case::below("d/a/mounted", "d")]
#[case::at_the_top("d", "d")]
fn a_mount_is_not_crossed(#[case] mounted: &str, #[case] removed: &str) {
    with_own_mounts("a_mount_is_not_crossed", || {
        let scene = Scene::new();
        scene.file("elsewhere/kept", "kept");
        scene.dir(mounted);
        for (from, kind) in [("elsewhere", "bind"), ("none", "tmpfs")] {
            let at = scene.path(mounted);
            match kind {
                "bind" => rustix::mount::mount_bind(scene.path(from), &at).unwrap(),
                _ => rustix::mount::mount(from, &at, kind, rustix::mount::MountFlags::empty(), None).unwrap(),
            }
            std::fs::write(at.join("on-it"), kind).unwrap();
            let tree = scene.target(removed, Operation::DeleteTree);
            assert_eq!(
                tree.remove_tree(&TreeLimits::default()).unwrap_err().kind(),
                ErrorKind::Mount
            );
            let one = scene.target(removed, Operation::Delete).remove().unwrap_err();
            assert!(matches!(one.kind(), ErrorKind::Mount | ErrorKind::NotEmpty));
            assert_eq!(std::fs::read_to_string(at.join("on-it")).unwrap(), kind);
            rustix::mount::unmount(&at, rustix::mount::UnmountFlags::empty()).unwrap();
        }
        assert_eq!(scene.text("elsewhere/kept"), "kept");
    });
}

#[test]
fn a_file_that_is_mounted_on_stays() {
    with_own_mounts("a_file_that_is_mounted_on_stays", || {
        let scene = Scene::new();
        scene.file("elsewhere", "kept");
        scene.file("d/a/mounted", "below");
        rustix::mount::mount_bind(scene.path("elsewhere"), scene.path("d/a/mounted")).unwrap();
        let tree = scene.target("d", Operation::DeleteTree);
        assert_eq!(
            tree.remove_tree(&TreeLimits::default()).unwrap_err().kind(),
            ErrorKind::Mount
        );
        let one = scene.target("d/a/mounted", Operation::Delete);
        assert_eq!(one.remove().unwrap_err().kind(), ErrorKind::Mount);
        let from = scene.target("d/a/mounted", Operation::MoveFrom);
        assert_eq!(
            from.rename_to(scene.target("new", Operation::MoveTo))
                .unwrap_err()
                .kind(),
            ErrorKind::Mount
        );
        assert_eq!(scene.text("d/a/mounted"), "kept");
        rustix::mount::unmount(scene.path("d/a/mounted"), rustix::mount::UnmountFlags::empty()).unwrap();
        assert_eq!(scene.text("d/a/mounted"), "below");
    });
}
