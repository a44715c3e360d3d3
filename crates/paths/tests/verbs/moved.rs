//! A directory that is moved out of the root between judging and using takes no change with it (R10).
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use portcullis_paths::{Error, ErrorKind, Operation, Resolver, Target, TreeLimits};
use rstest::rstest;

type Verb = fn(Target) -> Result<(), Error>;

fn replace(target: Target) -> Result<(), Error> {
    target.replace(b"new")
}
fn write_in_place(target: Target) -> Result<(), Error> {
    target.write_in_place(b"new")
}
fn create_new(target: Target) -> Result<(), Error> {
    target.create_new(b"new")
}
fn make_dir(target: Target) -> Result<(), Error> {
    target.make_dir()
}
fn remove(target: Target) -> Result<(), Error> {
    target.remove()
}
fn remove_tree(target: Target) -> Result<(), Error> {
    target.remove_tree(&TreeLimits::default()).map(drop)
}

#[rstest]
#[case::replace(replace, Operation::Write, "d/file")]
#[case::replace_missing(replace, Operation::Write, "d/no/file")]
#[case::write_in_place(write_in_place, Operation::Write, "d/file")]
#[case::create_new(create_new, Operation::CreateNew, "d/no")]
#[case::make_dir(make_dir, Operation::MakeDir, "d/no")]
#[case::remove(remove, Operation::Delete, "d/file")]
#[case::remove_tree(remove_tree, Operation::DeleteTree, "d/sub")]
fn what_left_the_root_is_not_changed(
    #[case] verb: Verb,
    #[case] operation: Operation,
    #[case] text: &str,
    #[values("d moved", "root moved")] what: &str,
) {
    let dir = tempfile::tempdir().unwrap();
    let top = std::fs::canonicalize(dir.path()).unwrap();
    let root = top.join("root");
    std::fs::create_dir_all(root.join("d/sub/sub")).unwrap();
    std::fs::write(root.join("d/file"), "old").unwrap();
    let resolver: Resolver = super::resolver(&root).unwrap();
    let target = super::target(&resolver, &root, text, operation).unwrap();
    let d = if what == "d moved" {
        std::fs::rename(root.join("d"), top.join("outside")).unwrap();
        top.join("outside")
    } else {
        std::fs::rename(&root, top.join("away")).unwrap();
        top.join("away/d")
    };
    assert_eq!(verb(target).unwrap_err().kind(), ErrorKind::Changed);
    assert_eq!(std::fs::read_to_string(d.join("file")).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&d).unwrap().count(), 2);
    assert_eq!(std::fs::read_dir(d.join("sub")).unwrap().count(), 1);
}
