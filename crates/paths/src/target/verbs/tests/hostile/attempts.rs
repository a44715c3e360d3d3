//! Every verb, on a target that is held while the race goes on already; nothing when that fails.

use super::{Arena, DEEPER, INNER, LEAF, MADE, PARENT, Swap, TREE};
use crate::{Error, Operation, TreeLimits};

pub(super) type Attempt = fn(&Arena) -> Option<Result<(), Error>>;

fn read(arena: &Arena) -> Option<Result<(), Error>> {
    let target = arena.target("d/x", Operation::Read)?;
    Some(target.read(100).map(|content| assert_eq!(content, b"public")))
}
fn list(arena: &Arena) -> Option<Result<(), Error>> {
    let target = arena.target("d/tree", Operation::List)?;
    Some(target.list(100).map(|listing| {
        assert!(
            listing
                .entries
                .iter()
                .all(|entry| entry.name.as_bytes() != b"new"),
            "{listing:?}"
        );
    }))
}
fn replace(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/x", Operation::Write)?.replace(b"written"))
}
fn replace_missing(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/new/b/x", Operation::Write)?.replace(b"written"))
}
fn write_in_place(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/x", Operation::Write)?.write_in_place(b"written"))
}
fn create_new(arena: &Arena) -> Option<Result<(), Error>> {
    Some(
        arena
            .target("d/new/b/c", Operation::CreateNew)?
            .create_new(b"written"),
    )
}
fn make_dir(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/new/b/c", Operation::MakeDir)?.make_dir())
}
fn remove(arena: &Arena) -> Option<Result<(), Error>> {
    Some(arena.target("d/x", Operation::Delete)?.remove())
}
fn remove_tree(arena: &Arena) -> Option<Result<(), Error>> {
    Some(
        arena
            .target("d/tree", Operation::DeleteTree)?
            .remove_tree(&TreeLimits::default())
            .map(drop),
    )
}
fn rename(arena: &Arena) -> Option<Result<(), Error>> {
    let from = arena.target("d/x", Operation::MoveFrom)?;
    Some(from.rename_to(arena.target("e/x", Operation::MoveTo)?))
}
fn rename_dir(arena: &Arena) -> Option<Result<(), Error>> {
    let from = arena.target("d/tree", Operation::MoveFrom)?;
    Some(from.rename_to(arena.target("e/tree", Operation::MoveTo)?))
}
fn rename_in(arena: &Arena) -> Option<Result<(), Error>> {
    let from = arena.target("e", Operation::MoveFrom)?;
    Some(from.rename_to(arena.target("d/e", Operation::MoveTo)?))
}

/// Each attempt with what is exchanged under it.
pub(super) const ATTEMPTS: [(&str, Attempt, Swap); 25] = [
    ("read_leaf", read, LEAF),
    ("read_parent", read, PARENT),
    ("list_leaf", list, TREE),
    ("list_parent", list, PARENT),
    ("replace_leaf", replace, LEAF),
    ("replace_parent", replace, PARENT),
    ("replace_missing_parent", replace_missing, PARENT),
    ("replace_missing_made", replace_missing, MADE),
    ("write_in_place_leaf", write_in_place, LEAF),
    ("write_in_place_parent", write_in_place, PARENT),
    ("create_new_parent", create_new, PARENT),
    ("create_new_made", create_new, MADE),
    ("create_new_deeper", create_new, DEEPER),
    ("make_dir_parent", make_dir, PARENT),
    ("make_dir_made", make_dir, MADE),
    ("remove_leaf", remove, LEAF),
    ("remove_parent", remove, PARENT),
    ("remove_tree_leaf", remove_tree, TREE),
    ("remove_tree_parent", remove_tree, PARENT),
    ("remove_tree_inner", remove_tree, INNER),
    ("rename_leaf", rename, LEAF),
    ("rename_parent", rename, PARENT),
    ("rename_dir_leaf", rename_dir, TREE),
    ("rename_dir_inner", rename_dir, INNER),
    ("rename_into_parent", rename_in, PARENT),
];
