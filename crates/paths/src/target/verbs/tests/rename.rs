//! What is renamed and what is not.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::os::unix::fs::MetadataExt;

use rstest::rstest;

use super::Scene;
use crate::{ErrorKind, Operation};

#[rstest]
#[case("file")]
#[case("full")]
#[case("empty")]
#[case("link")]
#[case("dangling")]
#[case("fifo")]
fn anything_can_be_renamed(#[case] name: &str) {
    let scene = Scene::everything();
    scene.dir("to");
    let from = scene.target(&format!("d/{name}"), Operation::MoveFrom);
    let identity = std::fs::symlink_metadata(scene.path(&format!("d/{name}")))
        .unwrap()
        .ino();
    from.rename_to(scene.target("to/new", Operation::MoveTo)).unwrap();
    assert!(!scene.is_there(&format!("d/{name}")));
    assert_eq!(
        std::fs::symlink_metadata(scene.path("to/new")).unwrap().ino(),
        identity
    );
}

#[rstest]
#[case::over_a_file("d/file", "d/full/inner/file", ErrorKind::Exists)]
#[case::over_a_link("d/file", "d/dangling", ErrorKind::Exists)]
#[case::over_a_dir("d/full", "d/empty", ErrorKind::Exists)]
#[case::into_nothing("d/file", "d/no/way", ErrorKind::NotFound)]
#[case::from_nothing("d/no", "d/new", ErrorKind::NotFound)]
#[case::into_itself("d/full", "d/full/inner/new", ErrorKind::WrongType)]
fn a_rename_replaces_nothing(#[case] from: &str, #[case] to: &str, #[case] expected: ErrorKind) {
    let scene = Scene::everything();
    let before = scene.names("d");
    let from = scene.target(from, Operation::MoveFrom);
    let error = from.rename_to(scene.target(to, Operation::MoveTo)).unwrap_err();
    assert_eq!(error.kind(), expected);
    assert_eq!(scene.names("d"), before);
}

#[test]
fn a_name_that_came_before_the_rename_stays() {
    let scene = Scene::everything();
    let (from, to) = (
        scene.target("d/file", Operation::MoveFrom),
        scene.target("d/new", Operation::MoveTo),
    );
    scene.file("d/new", "other");
    assert_eq!(from.rename_to(to).unwrap_err().kind(), ErrorKind::Changed);
    assert_eq!(
        (scene.text("d/new").as_str(), scene.text("d/file").as_str()),
        ("other", "old")
    );
}
