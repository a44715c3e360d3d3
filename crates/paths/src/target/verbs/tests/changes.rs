//! Each verb after each kind of change between judging and using.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::os::unix::fs::PermissionsExt;

use rstest::rstest;
use rustix::fs::{CWD, FileType, Mode};

use super::Scene;
use super::each::{Verb, create_new, make_dir, remove, remove_tree, replace, write_in_place};
use super::scene::tick;
use crate::{ErrorKind, Operation};

/// What may happen to `d/x` between judging and using.
type Change = fn(&Scene);

fn rewritten(scene: &Scene) {
    tick(&scene.path(""));
    std::fs::write(scene.path("d/x"), "other").unwrap();
}
fn replaced(scene: &Scene) {
    std::fs::rename(scene.file("d/y", "old"), scene.path("d/x")).unwrap();
}
fn made_again(scene: &Scene) {
    std::fs::remove_file(scene.path("d/x")).unwrap();
    scene.file("d/x", "old");
}
fn linked(scene: &Scene) {
    std::fs::hard_link(scene.path("d/x"), scene.path("d/second")).unwrap();
}
fn widened(scene: &Scene) {
    tick(&scene.path(""));
    std::fs::set_permissions(scene.path("d/x"), PermissionsExt::from_mode(0o666)).unwrap();
}
fn gone(scene: &Scene) {
    std::fs::remove_file(scene.path("d/x")).unwrap();
}
fn became_link(scene: &Scene) {
    gone(scene);
    scene.link("d/x", scene.file("secret", "secret"));
}
fn became_dir(scene: &Scene) {
    gone(scene);
    scene.dir("d/x");
}
fn became_fifo(scene: &Scene) {
    gone(scene);
    rustix::fs::mknodat(CWD, scene.path("d/x"), FileType::Fifo, Mode::RUSR, 0).unwrap();
}
fn parent_removed(scene: &Scene) {
    std::fs::remove_dir_all(scene.path("d")).unwrap();
}

#[rstest]
fn a_changed_file_is_not_touched(
    #[values(replace, write_in_place, remove, remove_tree)] verb: Verb,
    #[values(
        rewritten,
        replaced,
        made_again,
        linked,
        widened,
        gone,
        became_link,
        became_dir,
        became_fifo,
        parent_removed
    )]
    change: Change,
) {
    for operation in [Operation::Write, Operation::DeleteTree] {
        let scene = Scene::new();
        scene.file("d/x", "old");
        let target = scene.target("d/x", operation);
        change(&scene);
        let listing = |scene: &Scene| scene.is_there("d").then(|| scene.names("d"));
        let before = listing(&scene);
        let kind = verb(target).unwrap_err().kind();
        assert!(
            matches!(kind, ErrorKind::Changed | ErrorKind::WrongOperation),
            "{kind:?}"
        );
        assert_eq!(listing(&scene), before);
        if scene.is_there("secret") {
            assert_eq!(scene.text("secret"), "secret");
        }
    }
}

#[rstest]
#[case::rewritten(rewritten, Ok("other"))]
#[case::widened(widened, Ok("old"))]
#[case::gone(gone, Err(ErrorKind::Changed))]
#[case::replaced(replaced, Err(ErrorKind::Changed))]
#[case::became_link(became_link, Err(ErrorKind::Changed))]
fn reading_is_bound_to_the_object(#[case] change: Change, #[case] expected: Result<&str, ErrorKind>) {
    let scene = Scene::new();
    scene.file("d/x", "old");
    let target = scene.target("d/x", Operation::Read);
    change(&scene);
    let got = target.read(100).map_err(|error| error.kind());
    assert_eq!(got, expected.map(|text| text.as_bytes().to_vec()));
}

#[rstest]
fn a_name_that_came_into_being_is_not_touched(
    #[values((replace as Verb, Operation::Write), (create_new as Verb, Operation::CreateNew), (make_dir as Verb, Operation::MakeDir))]
    verb: (Verb, Operation),
    #[values("d/x", "d/x/y", "d/x/y/z")] path: &str,
    #[values("file", "dir", "link")] came: &str,
) {
    let scene = Scene::new();
    scene.dir("d");
    scene.dir("outside");
    let target = scene.target(path, verb.1);
    match came {
        "file" => drop(scene.file("d/x", "other")),
        "dir" => drop(scene.dir("d/x")),
        _ => drop(scene.link("d/x", scene.path("outside"))),
    }
    let kind = verb.0(target).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::Changed);
    assert_eq!(scene.names("d"), ["x"]);
    assert!(scene.names("outside").is_empty());
}
