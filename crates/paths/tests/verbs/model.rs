//! The verbs against a tree in memory: the same steps succeed and fail, and leave the same tree.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::Path;

use portcullis_paths::{Error, Operation, Resolver, TreeLimits};
use proptest::prelude::*;

/// Each path below the root: a file with its content, or a directory.
type Tree = BTreeMap<String, Option<String>>;

#[derive(Debug, Clone)]
enum Step {
    Read(String),
    List(String),
    Replace(String, String),
    WriteInPlace(String, String),
    CreateNew(String, String),
    MakeDir(String),
    Remove(String),
    RemoveTree(String),
    Rename(String, String),
}

/// What a step tells.
type Told = Result<String, ()>;

mod expected {
    use super::{Step, Told, Tree};

    pub(super) fn take(tree: &mut Tree, step: &Step) -> Told {
        match step {
            Step::Read(path) => file(tree, path).ok_or(()),
            Step::List(path) if is_dir(tree, path) => Ok(children(tree, path).join(" ")),
            Step::Replace(path, content) => write(tree, path, content),
            Step::WriteInPlace(path, content) if file(tree, path).is_some() => write(tree, path, content),
            Step::CreateNew(path, content) if !tree.contains_key(path) => write(tree, path, content),
            Step::MakeDir(path) => make_dirs(tree, path),
            Step::Remove(path) if tree.contains_key(path) && children(tree, path).is_empty() => {
                tree.remove(path);
                Ok(String::new())
            }
            Step::RemoveTree(path) if tree.contains_key(path) => {
                let before = tree.len();
                tree.retain(|at, _| !within(at, path));
                Ok((before - tree.len()).to_string())
            }
            Step::Rename(from, to) => rename(tree, from, to),
            _ => Err(()),
        }
    }

    fn file(tree: &Tree, path: &str) -> Option<String> {
        tree.get(path).cloned().flatten()
    }

    fn is_dir(tree: &Tree, path: &str) -> bool {
        path.is_empty() || tree.get(path).is_some_and(Option::is_none)
    }

    fn parent(path: &str) -> &str {
        path.rsplit_once('/').map_or("", |(parent, _)| parent)
    }

    fn within(path: &str, top: &str) -> bool {
        path.strip_prefix(top)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    fn children(tree: &Tree, path: &str) -> Vec<String> {
        let direct = tree.keys().filter(|at| parent(at) == path && *at != path);
        direct
            .map(|at| at.rsplit('/').next().unwrap_or_default().to_owned())
            .collect()
    }

    fn make_dirs(tree: &mut Tree, path: &str) -> Told {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let levels: Vec<&str> = ends
            .filter_map(|end| path.get(..end))
            .filter(|level| !level.is_empty())
            .collect();
        if levels.iter().any(|level| file(tree, level).is_some()) {
            return Err(());
        }
        tree.extend(levels.into_iter().map(|level| (level.to_owned(), None)));
        Ok(String::new())
    }

    fn write(tree: &mut Tree, path: &str, content: &str) -> Told {
        if is_dir(tree, path) {
            return Err(());
        }
        make_dirs(tree, parent(path))?;
        tree.insert(path.to_owned(), Some(content.to_owned()));
        Ok(String::new())
    }

    fn rename(tree: &mut Tree, from: &str, to: &str) -> Told {
        let possible = tree.contains_key(from) && !tree.contains_key(to) && is_dir(tree, parent(to));
        if !possible || within(to, from) {
            return Err(());
        }
        let moved: Vec<String> = tree.keys().filter(|at| within(at, from)).cloned().collect();
        for at in moved {
            let node = tree.remove(&at).flatten();
            tree.insert(at.replacen(from, to, 1), node);
        }
        Ok(String::new())
    }
}

fn take(resolver: &Resolver, root: &Path, step: &Step) -> Result<String, Error> {
    let target = |text: &str, operation| super::target(resolver, root, text, operation);
    let nothing = |()| String::new();
    match step {
        Step::Read(path) => {
            let content = target(path, Operation::Read)?.read(100)?;
            Ok(String::from_utf8(content).unwrap())
        }
        Step::List(path) => {
            let listing = target(path, Operation::List)?.list(100)?;
            let names: Vec<String> = listing
                .entries
                .iter()
                .map(|entry| entry.name.to_string())
                .collect();
            Ok(names.join(" "))
        }
        Step::Replace(path, content) => target(path, Operation::Write)?
            .replace(content.as_bytes())
            .map(nothing),
        Step::WriteInPlace(path, content) => target(path, Operation::Write)?
            .write_in_place(content.as_bytes())
            .map(nothing),
        Step::CreateNew(path, content) => target(path, Operation::CreateNew)?
            .create_new(content.as_bytes())
            .map(nothing),
        Step::MakeDir(path) => target(path, Operation::MakeDir)?.make_dir().map(nothing),
        Step::Remove(path) => target(path, Operation::Delete)?.remove().map(nothing),
        Step::RemoveTree(path) => {
            let removed = target(path, Operation::DeleteTree)?.remove_tree(&TreeLimits::default())?;
            Ok((removed.files + removed.dirs).to_string())
        }
        Step::Rename(from, to) => {
            let to = target(to, Operation::MoveTo)?;
            target(from, Operation::MoveFrom)?.rename_to(to).map(nothing)
        }
    }
}

fn tree_of(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(dir) = left.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let entry = entry.unwrap();
            let is_file = entry.file_type().unwrap().is_file();
            let below = entry
                .path()
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            found.insert(
                below,
                is_file.then(|| std::fs::read_to_string(entry.path()).unwrap()),
            );
            if !is_file {
                left.push(entry.path());
            }
        }
    }
    found
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec("[abc]", 1..4).prop_map(|names| names.join("/"))
}

fn step() -> impl Strategy<Value = Step> {
    let content = "[x-z]{0,3}";
    prop_oneof![
        path().prop_map(Step::Read),
        path().prop_map(Step::List),
        (path(), content).prop_map(|(path, content)| Step::Replace(path, content)),
        (path(), content).prop_map(|(path, content)| Step::WriteInPlace(path, content)),
        (path(), content).prop_map(|(path, content)| Step::CreateNew(path, content)),
        path().prop_map(Step::MakeDir),
        path().prop_map(Step::Remove),
        path().prop_map(Step::RemoveTree),
        (path(), path()).prop_map(|(from, to)| Step::Rename(from, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_verbs_do_what_a_tree_in_memory_does(steps in proptest::collection::vec(step(), 1..25)) {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        let resolver = super::resolver(&root).unwrap();
        let mut tree = Tree::new();
        for step in steps {
            let expected = expected::take(&mut tree, &step);
            let got = take(&resolver, &root, &step);
            let told = got.as_ref().map_err(|_| ()).cloned();
            prop_assert_eq!(told, expected, "{:?}: {:?}", step, got);
            prop_assert_eq!(tree_of(&root), tree.clone(), "after {:?}", step);
        }
    }
}
