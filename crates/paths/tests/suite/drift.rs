//! Between two decisions of one resolver anything may happen to the tree: renamed, exchanged, removed, linked, mounted over.
//! Both ways of asking the kernel were opened on the same tree, and tell the same of every tree that it becomes.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use portcullis_paths::{Ambient, Backend, Dialect, Operation, Request, Resolver, Zone, ZoneKind, Zones};
use portcullis_testing::{with_own_mounts, without_override};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use rustix::fs::{CWD, FileType, Mode, RenameFlags};
use rustix::mount::{UnmountFlags, mount_bind, unmount};

use crate::agree::{KINDS, entry, grow, place, text, told};
use crate::scene::Scene;

/// What is decided before the first change: with none, moves are not watched for yet.
const WARM: [usize; 3] = [0, 0, 20];

const ROOTS: [&str; 5] = [
    "<>/work/app2",
    "<>/work/app/qa",
    "<>/work/app/qb/qa",
    "<>",
    "<>/work",
];

#[derive(Debug, Clone)]
enum Step {
    Rename(String, String),
    Exchange(String, String),
    Remove(String),
    Add(String),
    HardLink(String, String),
    Bind(String, String),
    Unbind(String),
    Fifo(String),
    /// Nobody may look in it. Not above a root: what is held there stays in reach, and whoever goes by the name fails alone.
    Close(String),
    /// So much is decided that moves are watched for, again if need be.
    Settle,
    Ask(String, Operation, String),
}

/// A place, or one of the directories that everything begins with.
fn somewhere() -> impl Strategy<Value = String> {
    prop_oneof![
        5 => place(),
        1 => select(vec!["<>/work/app", "<>/work/app/qa", "<>/work", "<>/work/app2", "<>/work/secret"])
            .prop_map(str::to_owned),
    ]
}

fn step(mounts: bool) -> impl Strategy<Value = Step> {
    // Who may mount may look everywhere.
    let special = if mounts {
        let bind = (somewhere(), somewhere()).prop_map(|(from, to)| Step::Bind(from, to));
        prop_oneof![2 => bind, 1 => somewhere().prop_map(Step::Unbind)].boxed()
    } else {
        somewhere().prop_map(Step::Close).boxed()
    };
    prop_oneof![
        4 => (somewhere(), somewhere()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (somewhere(), somewhere()).prop_map(|(from, to)| Step::Exchange(from, to)),
        2 => somewhere().prop_map(Step::Remove),
        4 => entry().prop_map(Step::Add),
        1 => (place(), place()).prop_map(|(name, other)| Step::HardLink(name, other)),
        2 => special,
        1 => place().prop_map(Step::Fifo),
        1 => Just(Step::Settle),
        12 => (text(), select(Operation::ALL.to_vec()), somewhere())
            .prop_map(|(text, operation, cwd)| Step::Ask(text, operation, cwd)),
    ]
}

/// The path, unless it lies behind a link that leads out of the scene.
fn within(scene: &Scene, place: &str) -> Option<PathBuf> {
    let path = scene.path(place);
    let dir = std::fs::canonicalize(path.parent()?).ok()?;
    dir.starts_with(scene.path("<>")).then_some(path)
}

/// A change that the tree does not allow is none.
fn change(scene: &Scene, step: &Step) -> Option<()> {
    let path = |place: &String| within(scene, place);
    match step {
        Step::Rename(from, to) => std::fs::rename(path(from)?, path(to)?).ok(),
        Step::Exchange(from, to) => {
            rustix::fs::renameat_with(CWD, path(from)?, CWD, path(to)?, RenameFlags::EXCHANGE).ok()
        }
        Step::Remove(place) => {
            let path = path(place)?;
            match path.symlink_metadata().ok()?.is_dir() {
                true => std::fs::remove_dir_all(path).ok(),
                false => std::fs::remove_file(path).ok(),
            }
        }
        Step::Add(entry) => {
            grow(scene, entry);
            Some(())
        }
        Step::HardLink(name, other) => std::fs::hard_link(path(other)?, path(name)?).ok(),
        Step::Bind(from, to) => {
            // Through links, mounts might be made outside the scene.
            let inside = |place| {
                std::fs::canonicalize(path(place)?)
                    .ok()
                    .filter(|path| path.starts_with(scene.path("<>/")))
            };
            mount_bind(inside(from)?, inside(to)?).ok()
        }
        Step::Unbind(place) => unmount(path(place)?, UnmountFlags::DETACH | UnmountFlags::NOFOLLOW).ok(),
        Step::Fifo(place) => rustix::fs::mknodat(CWD, path(place)?, FileType::Fifo, Mode::RWXU, 0).ok(),
        Step::Close(place) => {
            let path = path(place)?;
            let closed = std::fs::Permissions::from_mode(0o000);
            path.symlink_metadata()
                .ok()?
                .is_dir()
                .then(|| std::fs::set_permissions(path, closed).ok())?
        }
        Step::Settle | Step::Ask(..) => None,
    }
}

/// Takes away every mount that the steps left, wherever it is by now.
fn unbind_all(scene: &Scene) {
    let mounts = std::fs::read_to_string("/proc/thread-self/mountinfo").unwrap();
    let places = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    let places: Vec<_> = places
        .filter(|place| Path::new(place).starts_with(scene.path("<>")))
        .collect();
    for place in places.into_iter().rev() {
        unmount(place, UnmountFlags::DETACH).unwrap();
    }
}

/// Opens every directory that the steps closed, so that the scene can be removed.
fn open_all(dir: &Path) {
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700)).unwrap();
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            open_all(&entry.path());
        }
    }
}

#[derive(Debug, Clone)]
struct Case {
    entries: Vec<String>,
    roots: Vec<&'static str>,
    file: Option<String>,
    zones: Vec<(ZoneKind, String)>,
    warm: usize,
    steps: Vec<Step>,
}

fn case(mounts: bool) -> impl Strategy<Value = Case> {
    let entries = prop::collection::vec(entry(), 3..14);
    let roots = prop::sample::subsequence(ROOTS.to_vec(), 0..3);
    let zones = prop::collection::vec((select(KINDS.to_vec()), somewhere()), 1..4);
    let file = proptest::option::weighted(0.2, place());
    let steps = prop::collection::vec(step(mounts), 1..60);
    (entries, roots, file, zones, select(WARM.to_vec()), steps).prop_map(
        |(entries, roots, file, zones, warm, steps)| Case {
            entries,
            roots,
            file,
            zones,
            warm,
            steps,
        },
    )
}

fn opened(scene: &Scene, case: &Case, backend: Backend) -> Option<Resolver> {
    let mut builder = Zones::builder().root(scene.path("<>/work/app"));
    for root in &case.roots {
        builder = builder.root(scene.path(root));
    }
    if let Some(file) = &case.file {
        builder = builder.file(scene.path(file));
    }
    for (kind, place) in &case.zones {
        let (id, path) = (format!("{kind:?} {place}"), scene.path(place));
        builder = builder.zone(Zone {
            id,
            kind: *kind,
            path,
        });
    }
    let zones = builder.open(&Ambient::empty()).ok()?;
    Some(Resolver::with_backend(zones, Ambient::empty(), backend))
}

fn check(scene: &Scene, case: &Case) -> Result<(), TestCaseError> {
    for entry in &case.entries {
        grow(scene, entry);
    }
    let resolvers = Backend::ALL.map(|backend| opened(scene, case, backend));
    let [Some(kernel), Some(names), Some(walk)] = resolvers else {
        return Ok(());
    };
    let ask = |resolver: &Resolver, text: &str, operation: Operation, cwd: &str| {
        told(resolver.resolve(&Request {
            text: &scene.text(text),
            dialect: &Dialect::PLAIN,
            operation,
            cwd: &scene.path(cwd),
        }))
    };
    let settle = |count| {
        for _ in 0..count {
            ask(&kernel, "qa", Operation::Stat, "<>/work/app");
            ask(&names, "qa", Operation::Stat, "<>/work/app");
        }
    };
    settle(case.warm);
    let file_dir = case
        .file
        .as_ref()
        .map(|file| scene.path(file).parent().unwrap().to_owned());
    let roots = case
        .roots
        .iter()
        .map(|root| scene.path(root))
        .chain([scene.path("<>/work/app")]);
    let roots: Vec<_> = roots
        .chain(file_dir)
        .filter_map(|root| std::fs::canonicalize(root).ok())
        .collect();
    let leads_to_root = |place: &str| {
        let closed = std::fs::canonicalize(scene.path(place)).ok();
        closed.is_some_and(|closed| {
            roots
                .iter()
                .any(|root| *root != closed && root.starts_with(&closed))
        })
    };
    let mut done = Vec::new();
    for step in &case.steps {
        if matches!(step, Step::Close(place) if leads_to_root(place)) {
            continue;
        }
        if matches!(step, Step::Settle) {
            settle(40);
        }
        let Step::Ask(text, operation, cwd) = step else {
            done.extend(change(scene, step).map(|()| step));
            continue;
        };
        let walked = ask(&walk, text, *operation, cwd);
        for plain in [&kernel, &names].map(|resolver| ask(resolver, text, *operation, cwd)) {
            prop_assert_eq!(&plain, &walked, "{:?} after {:?}", step, done);
        }
    }
    Ok(())
}

fn both_ways_stay_alike(mounts: bool) {
    let mut runner = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::default()
    });
    let ran = runner.run(&case(mounts), |case| {
        let scene = Scene::new();
        let checked = check(&scene, &case);
        if mounts {
            unbind_all(&scene);
        } else {
            open_all(&scene.path("<>"));
        }
        checked
    });
    if let Err(error) = ran {
        panic!("{error}");
    }
}

#[test]
fn both_ways_stay_alike_while_names_change() {
    without_override(|| both_ways_stay_alike(false));
}

#[test]
fn both_ways_stay_alike_while_names_and_mounts_change() {
    with_own_mounts("both_ways_stay_alike", || both_ways_stay_alike(true));
}
