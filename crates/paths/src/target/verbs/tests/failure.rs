//! What is left when a verb fails halfway.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use portcullis_testing::with_own_mounts;
use rstest::rstest;

use super::Scene;
use super::each::{Verb, create_new, replace};
use crate::target::race;
use crate::{Error, ErrorKind, Operation};

#[rstest]
#[case::new_replace(replace, Operation::Write, "new")]
#[case::new_create(create_new, Operation::CreateNew, "new")]
#[case::old_replace(replace, Operation::Write, "old")]
fn a_full_disk_leaves_what_was(#[case] _verb: Verb, #[case] operation: Operation, #[case] name: &str) {
    with_own_mounts("a_full_disk_leaves_what_was", || {
        let scene = Scene::new();
        scene.dir("d");
        let options = c"size=64k";
        let flags = rustix::mount::MountFlags::empty();
        rustix::mount::mount("none", scene.path("d"), "tmpfs", flags, options).unwrap();
        scene.file("d/old", "old");
        let target = scene.target(&format!("d/{name}"), operation);
        let big = vec![b'x'; 1 << 20];
        let error = match operation {
            Operation::Write => target.replace(&big),
            _ => target.create_new(&big),
        };
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Io);
        assert_eq!(scene.names("d"), ["old"]);
        assert_eq!(scene.text("d/old"), "old");
        rustix::mount::unmount(scene.path("d"), rustix::mount::UnmountFlags::empty()).unwrap();
    });
}

type Prepared = Box<dyn FnOnce() -> Result<(), Error>>;

fn replacing(scene: &Scene) -> Prepared {
    let target = scene.target("d/x", Operation::Write);
    Box::new(|| target.replace(b"new"))
}
fn creating(scene: &Scene) -> Prepared {
    let target = scene.target("d/x", Operation::CreateNew);
    Box::new(|| target.create_new(b"new"))
}
fn renaming(scene: &Scene) -> Prepared {
    scene.file("from", "new");
    let (from, to) = (
        scene.target("from", Operation::MoveFrom),
        scene.target("d/x", Operation::MoveTo),
    );
    Box::new(|| from.rename_to(to))
}

/// In every gap of a verb somebody makes the name: what is his is never lost, and no temporary name stays.
#[rstest]
#[case::replace(replacing)]
#[case::create_new(creating)]
#[case::rename(renaming)]
fn a_name_that_comes_in_a_gap_is_kept(#[case] prepare: fn(&Scene) -> Prepared) {
    let mut kept = 0;
    for gap in 0.. {
        let scene = Scene::fast();
        scene.dir("d");
        let verb = prepare(&scene);
        let path = scene.path("d/x");
        let calls = Rc::new(Cell::new(0));
        let came = Rc::new(Cell::new(false));
        let (count, comes) = (Rc::clone(&calls), Rc::clone(&came));
        let result = race::during(
            move || {
                if count.replace(count.get() + 1) == gap {
                    let new = std::fs::OpenOptions::new()
                        .write(true)
                        .create_new(true)
                        .open(&path);
                    comes.set(new.is_ok_and(|mut new| std::io::Write::write_all(&mut new, b"other").is_ok()));
                }
            },
            verb,
        );
        if came.get() {
            assert!(matches!(
                result.unwrap_err().kind(),
                ErrorKind::Changed | ErrorKind::Exists
            ));
            assert_eq!(scene.text("d/x"), "other");
            kept += 1;
        } else {
            result.unwrap();
            assert_eq!(scene.text("d/x"), "new");
        }
        assert_eq!(scene.names("d"), ["x"]);
        if calls.get() <= gap {
            break;
        }
    }
    assert!(kept > 2);
}

/// What somebody else does with the old file `d/x`; `other` has the content that he leaves there.
type Other = fn(&Path);

fn renames_over(top: &Path) {
    std::fs::rename(top.join("other"), top.join("d/x")).unwrap();
}
fn rewrites(top: &Path) {
    super::scene::tick(top);
    std::fs::write(top.join("d/x"), "other").unwrap();
}

/// In every gap somebody changes the old file: what he leaves is kept in all but the last, and no temporary
/// name stays.
#[rstest]
#[case(renames_over)]
#[case(rewrites)]
fn a_change_in_a_gap_is_kept_but_in_the_last(#[case] other: Other) {
    let mut lost = Vec::new();
    for gap in 0.. {
        let scene = Scene::fast();
        scene.file("d/x", "old");
        scene.file("other", "other");
        let target = scene.target("d/x", Operation::Write);
        let top = scene.path("");
        let calls = Rc::new(Cell::new(0));
        let count = Rc::clone(&calls);
        let result = race::during(
            move || {
                if count.replace(count.get() + 1) == gap {
                    other(&top);
                }
            },
            || target.replace(b"new"),
        );
        assert_eq!(scene.names("d"), ["x"]);
        if calls.get() <= gap {
            result.unwrap();
            break;
        }
        match result {
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Changed);
                assert_eq!(scene.text("d/x"), "other");
            }
            // After the rename the new content is the old one, for whoever comes then.
            Ok(()) if scene.text("d/x") == "other" => {}
            Ok(()) => lost.push(gap),
        }
    }
    assert_eq!(
        lost.len(),
        1,
        "only the one call between comparing and renaming is open"
    );
}
