//! Each verb on each kind of thing, and after each kind of change.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rstest::rstest;
use rustix::fs::{CWD, FileType, Mode};

use super::Scene;
use crate::{Error, ErrorKind, FileKind, Operation, Removed, State, Target, TreeLimits};

type Verb = fn(Target) -> Result<(), Error>;

fn read(target: Target) -> Result<(), Error> {
    target.read(100).map(drop)
}
fn open_dir(target: Target) -> Result<(), Error> {
    target.open_dir().map(drop)
}
fn list(target: Target) -> Result<(), Error> {
    target.list(100).map(drop)
}
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

/// A scene with one of everything in `d`.
fn everything() -> Scene {
    let scene = Scene::new();
    scene.file("d/file", "old");
    scene.file("d/full/inner/file", "old");
    scene.dir("d/empty");
    scene.link("d/link", scene.path("d/file"));
    scene.link("d/dirlink", scene.path("d/full"));
    scene.link("d/dangling", "nowhere");
    let mode = Mode::RUSR | Mode::WUSR;
    rustix::fs::mknodat(CWD, scene.path("d/fifo"), FileType::Fifo, mode, 0).unwrap();
    rustix::fs::mknodat(CWD, scene.path("d/socket"), FileType::Socket, mode, 0).unwrap();
    scene
}

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
        let scene = everything();
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
#[case(replace)]
#[case(write_in_place)]
#[case(create_new)]
#[case(make_dir)]
#[case(remove)]
#[case(remove_tree)]
fn rights_for_metadata_reach_nowhere(#[case] verb: Verb) {
    for name in NAMES {
        let scene = everything();
        let before = scene.names("d");
        let error = verb(scene.target(&format!("d/{name}"), Operation::Stat)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongOperation, "{name}");
        assert_eq!(scene.names("d"), before);
    }
}

/// What may happen to `d/x` between judging and using.
type Change = fn(&Scene);

fn rewritten(scene: &Scene) {
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
    let scene = everything();
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

#[rstest]
#[case("file")]
#[case("full")]
#[case("empty")]
#[case("link")]
#[case("dangling")]
#[case("fifo")]
fn anything_can_be_renamed(#[case] name: &str) {
    let scene = everything();
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
    let scene = everything();
    let before = scene.names("d");
    let from = scene.target(from, Operation::MoveFrom);
    let error = from.rename_to(scene.target(to, Operation::MoveTo)).unwrap_err();
    assert_eq!(error.kind(), expected);
    assert_eq!(scene.names("d"), before);
}

#[test]
fn a_name_that_came_before_the_rename_stays() {
    let scene = everything();
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

#[test]
fn a_tree_is_counted_and_its_links_are_names() {
    let scene = everything();
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
    let scene = everything();
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
    let scene = everything();
    let limits = TreeLimits { names: 11, depth: 3 };
    let removed = scene
        .target("d", Operation::DeleteTree)
        .remove_tree(&limits)
        .unwrap();
    assert_eq!(removed, Removed { files: 7, dirs: 4 });
}
