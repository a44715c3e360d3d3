//! What is read, listed and written.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rstest::rstest;

use super::Scene;
use crate::{ErrorKind, FileKind, Operation, State};

#[test]
fn a_limit_on_reading_is_exact() {
    let scene = Scene::new();
    scene.file("f", "12345");
    assert_eq!(scene.target("f", Operation::Read).read(5).unwrap(), b"12345");
    let error = scene.target("f", Operation::Read).read(4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Budget);
}

#[test]
fn a_file_without_a_size_is_bounded_too() {
    let target = super::scene::target(std::path::Path::new("/proc/filesystems"), Operation::Read);
    assert!(!target.read(1 << 20).unwrap().is_empty());
    assert_eq!(target.read(3).unwrap_err().kind(), ErrorKind::Budget);
}

#[test]
fn a_listing_is_the_first_names_in_order() {
    let scene = Scene::everything();
    let listing = scene.target("d", Operation::List).list(100).unwrap();
    assert!(!listing.truncated);
    let shown: Vec<(String, State)> = listing
        .entries
        .iter()
        .map(|entry| (entry.name.to_string(), entry.state))
        .collect();
    let expected = [
        ("dangling", State::Link),
        ("dirlink", State::Link),
        ("empty", State::Existing(FileKind::Dir)),
        ("fifo", State::Existing(FileKind::Special)),
        ("file", State::Existing(FileKind::File)),
        ("full", State::Existing(FileKind::Dir)),
        ("link", State::Link),
        ("socket", State::Existing(FileKind::Special)),
    ];
    assert_eq!(shown, expected.map(|(name, state)| (name.to_owned(), state)));
    for limit in 0..=8 {
        let cut = scene.target("d", Operation::List).list(limit).unwrap();
        assert_eq!(cut.truncated, limit < 8, "{limit}");
        assert_eq!(cut.entries, listing.entries[..limit]);
    }
}

#[rstest]
#[case(0o640)]
#[case(0o755)]
#[case(0o400)]
#[case(0o606)]
fn a_replaced_file_keeps_its_mode(#[case] mode: u32) {
    let scene = Scene::new();
    let path = scene.file("f", "old");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    scene.target("f", Operation::Write).replace(b"new").unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, mode);
    assert_eq!(scene.text("f"), "new");
    assert_eq!(scene.names(""), ["f"]);
}

#[test]
fn other_names_keep_the_old_content_only_when_replacing() {
    let scene = Scene::new();
    scene.file("f", "old");
    std::fs::hard_link(scene.path("f"), scene.path("g")).unwrap();
    scene.target("f", Operation::Write).replace(b"new").unwrap();
    assert_eq!(
        (scene.text("f").as_str(), scene.text("g").as_str()),
        ("new", "old")
    );

    std::fs::hard_link(scene.path("f"), scene.path("h")).unwrap();
    scene.target("h", Operation::Write).write_in_place(b"n").unwrap();
    assert_eq!((scene.text("f").as_str(), scene.text("h").as_str()), ("n", "n"));
}
