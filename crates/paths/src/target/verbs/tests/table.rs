//! Each verb on each kind of thing.

use rstest::rstest;

use super::Scene;
use super::each::{
    Verb, create_new, list, make_dir, open_dir, read, remove, remove_tree, replace, working_dir,
    write_in_place,
};
use crate::{ErrorKind, Operation};

const FINE: Option<ErrorKind> = None;
const ABSENT: Option<ErrorKind> = Some(ErrorKind::NotFound);
const TYPE: Option<ErrorKind> = Some(ErrorKind::WrongType);
const SPECIAL: Option<ErrorKind> = Some(ErrorKind::Special);
const EXISTS: Option<ErrorKind> = Some(ErrorKind::Exists);
const FULL: Option<ErrorKind> = Some(ErrorKind::NotEmpty);

/// The columns: file, full directory, empty directory, link, dangling link, FIFO, socket, missing, missing below missing.
const NAMES: [&str; 9] = [
    "file",
    "full",
    "empty",
    "link",
    "dangling",
    "fifo",
    "socket",
    "no",
    "no/deep/er",
];

#[rstest]
#[case::read(read, Operation::Read, [FINE, TYPE, TYPE, TYPE, TYPE, SPECIAL, SPECIAL, ABSENT, ABSENT])]
#[case::open_dir(open_dir, Operation::List, [TYPE, FINE, FINE, TYPE, TYPE, SPECIAL, SPECIAL, ABSENT, ABSENT])]
#[case::list(list, Operation::List, [TYPE, FINE, FINE, TYPE, TYPE, SPECIAL, SPECIAL, ABSENT, ABSENT])]
#[case::working_dir(working_dir, Operation::WorkingDir, [TYPE, FINE, FINE, TYPE, TYPE, SPECIAL, SPECIAL, ABSENT, ABSENT])]
#[case::replace(replace, Operation::Write, [FINE, TYPE, TYPE, TYPE, TYPE, SPECIAL, SPECIAL, FINE, FINE])]
#[case::write_in_place(write_in_place, Operation::Write, [FINE, TYPE, TYPE, TYPE, TYPE, SPECIAL, SPECIAL, ABSENT, ABSENT])]
#[case::create_new(create_new, Operation::CreateNew, [EXISTS, EXISTS, EXISTS, EXISTS, EXISTS, EXISTS, EXISTS, FINE, FINE])]
#[case::make_dir(make_dir, Operation::MakeDir, [EXISTS, FINE, FINE, EXISTS, EXISTS, EXISTS, EXISTS, FINE, FINE])]
#[case::remove(remove, Operation::Delete, [FINE, FULL, FINE, FINE, FINE, FINE, FINE, ABSENT, ABSENT])]
#[case::remove_tree(remove_tree, Operation::DeleteTree, [FINE, FINE, FINE, FINE, FINE, FINE, FINE, ABSENT, ABSENT])]
fn every_verb_on_everything(
    #[case] verb: Verb,
    #[case] operation: Operation,
    #[case] expected: [Option<ErrorKind>; 9],
) {
    for (name, expected) in NAMES.into_iter().zip(expected) {
        let scene = Scene::everything();
        let before = scene.names("d");
        let target = scene.target(&format!("d/{name}"), operation);
        let got = verb(target).err().map(|error| error.kind());
        assert_eq!(got, expected, "{name}");
        if expected.is_some() {
            assert_eq!(scene.names("d"), before, "{name}: a refused verb changed names");
            assert_eq!(scene.text("d/file"), "old", "{name}");
        } else if operation == Operation::Delete || operation == Operation::DeleteTree {
            assert!(!scene.is_there(&format!("d/{name}")), "{name} was not removed");
            assert_eq!(
                scene.names("d").len(),
                before.len() - 1,
                "{name}: more was removed"
            );
        }
    }
}

#[rstest]
#[case(read)]
#[case(open_dir)]
#[case(list)]
#[case(working_dir)]
#[case(replace)]
#[case(write_in_place)]
#[case(create_new)]
#[case(make_dir)]
#[case(remove)]
#[case(remove_tree)]
fn rights_for_metadata_reach_nowhere(#[case] verb: Verb) {
    for name in NAMES {
        let scene = Scene::everything();
        let before = scene.names("d");
        let error = verb(scene.target(&format!("d/{name}"), Operation::Stat)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongOperation, "{name}");
        assert_eq!(scene.names("d"), before);
    }
}
