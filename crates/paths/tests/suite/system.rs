//! What needs more of the system than a directory: mounts, missing rights, a filter that refuses `openat2`.
//!
//! Each runs in a thread of its own, whose name space, rights and filter end with it.

use std::sync::Mutex;

use crate::scene::{Scene, operation};
use portcullis_paths::{
    Ambient, Backend, Concern, Dialect, Error, ErrorKind, Operation, Request, Resolver, Standing, Target,
    Zone, ZoneKind, Zones,
};
use portcullis_testing::{OPENAT2, failing, with_own_mounts, without_override};
use rustix::io::Errno;

const EACH: [Backend; 3] = Backend::ALL;

fn open(scene: &Scene, roots: &[&str], denied: &[&str]) -> Zones {
    let mut builder = Zones::builder();
    for root in roots {
        builder = builder.root(scene.path(root));
    }
    for path in denied {
        builder = builder.zone(Zone {
            id: (*path).to_owned(),
            kind: ZoneKind::DenyRead,
            path: scene.path(path),
        });
    }
    builder.open(&Ambient::empty()).unwrap()
}

fn ask(scene: &Scene, resolver: &Resolver, what: &str) -> Result<Target, Error> {
    let (verb, text) = what.split_once(' ').unwrap();
    resolver.resolve(&Request {
        text: &scene.text(text),
        dialect: &Dialect::AGENT,
        operation: operation(verb),
        cwd: &scene.path("<>/work/app"),
    })
}

fn kind(scene: &Scene, resolver: &Resolver, what: &str) -> Option<ErrorKind> {
    ask(scene, resolver, what).err().map(|error| error.kind())
}

#[test]
fn a_mount_below_a_root_is_another_place() {
    with_own_mounts("mounts", || {
        let scene = Scene::new();
        for entry in [
            "<>/work/secret/sub/x",
            "<>/work/app/b/",
            "<>/work/app/c/",
            "<>/work/app/f",
            "<>/work/app/r/",
        ] {
            scene.add(entry);
        }
        scene.bind("<>/work/secret", "<>/work/app/b");
        scene.bind("<>/work/secret/sub", "<>/work/app/c");
        scene.bind("<>/work/secret/key", "<>/work/app/f");
        scene.bind("<>/work/app2", "<>/work/app/r");
        let roots = ["<>/work/app", "<>/work/app/r"];
        for backend in EACH {
            let resolver = |denied: &[&str]| {
                Resolver::with_backend(open(&scene, &roots, denied), Ambient::empty(), backend)
            };
            let denying = resolver(&["<>/work/secret"]);
            assert_eq!(kind(&scene, &denying, "read b/key"), Some(ErrorKind::Protected));
            assert_eq!(kind(&scene, &denying, "read c/x"), Some(ErrorKind::Mount));
            let open = resolver(&[]);
            for what in [
                "read b/key",
                "write b/new",
                "read f",
                "write f",
                "delete f",
                "delete-tree c",
                "list c",
                "make-dir c/d",
            ] {
                assert_eq!(
                    kind(&scene, &open, what),
                    Some(ErrorKind::Mount),
                    "{backend:?} {what}"
                );
            }
            for (what, holds) in [("set-meta .", true), ("set-meta r", false)] {
                assert_eq!(
                    ask(&scene, &open, what).unwrap().holds_mount().unwrap(),
                    holds,
                    "{what}"
                );
            }
            // Configured as a root, the mount is known.
            let known = ask(&scene, &open, "read r/f").unwrap();
            assert_eq!(known.standing(), Standing::Inside { root: 1 });
            known.verify().unwrap();
            // On the way to what is outside, mounts are normal.
            let outside = ask(&scene, &open, "read /proc/version").unwrap();
            assert_eq!(outside.standing(), Standing::Outside);
            outside.verify().unwrap();
        }
    });
}

#[test]
fn a_mount_over_a_judged_place_is_noticed() {
    with_own_mounts("mount over", || {
        for backend in EACH {
            let scene = Scene::new();
            let zones = open(&scene, &["<>/work/app"], &[]);
            let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
            let target = ask(&scene, &resolver, "read src/a.txt").unwrap();
            target.verify().unwrap();
            scene.bind("<>/work/secret", "<>/work/app/src");
            assert_eq!(target.verify().unwrap_err().kind(), ErrorKind::Changed);
            scene.unbind("<>/work/app/src");
            target.verify().unwrap();
            scene.bind("<>/work/app/src", "<>/work/app/src");
            let again = target.verify().unwrap_err().kind();
            assert_eq!(again, ErrorKind::Changed, "the same object on another mount");
            scene.unbind("<>/work/app/src");
            scene.bind("<>/work/secret/key", "<>/work/app/src/a.txt");
            assert_eq!(target.verify().unwrap_err().kind(), ErrorKind::Changed);
        }
    });
}

#[test]
fn a_mount_over_a_root_or_above_it_is_noticed() {
    with_own_mounts("mount over a root", || {
        for (backend, over) in EACH
            .into_iter()
            .flat_map(|backend| ["<>/work/app", "<>/work"].map(|over| (backend, over)))
        {
            let scene = Scene::new();
            scene.add("<>/other/app/src/a.txt");
            let resolver =
                Resolver::with_backend(open(&scene, &["<>/work/app"], &[]), Ambient::empty(), backend);
            for _ in 0..40 {
                ask(&scene, &resolver, "read <>/work/app/src/a.txt").unwrap();
            }
            scene.bind(&over.replace("work", "other"), over);
            let kind = || kind(&scene, &resolver, "read <>/work/app/src/a.txt");
            assert_eq!(kind(), Some(ErrorKind::Changed), "{backend:?} {over}");
            scene.unbind(over);
            assert_eq!(kind(), None, "{backend:?} {over}");
        }
    });
}

#[test]
fn a_protected_place_is_protected_under_every_mount_of_its_tree() {
    with_own_mounts("second name", || {
        let scene = Scene::new();
        for entry in ["<>/work/app/.git/hooks/x", "<>/mnt/"] {
            scene.add(entry);
        }
        scene.bind("<>/work/app", "<>/mnt");
        for backend in EACH {
            // The zone is given by its other name.
            let zones = open(&scene, &["<>/work/app"], &["<>/mnt/.git", "<>/mnt/later"]);
            let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
            for what in [
                "read .git/hooks/x",
                "write .git/new",
                "write later/x",
                "read <>/mnt/.git/hooks/x",
            ] {
                assert_eq!(
                    kind(&scene, &resolver, what),
                    Some(ErrorKind::Protected),
                    "{backend:?} {what}"
                );
            }
        }
    });
}

#[test]
fn what_may_not_be_looked_at_is_not_new() {
    let scene = Scene::new();
    for entry in [
        "<>/work/app/locked/x",
        "<>/work/app/locked/ln -> <>/work/secret",
        "<>/work/safe/keys/k",
    ] {
        scene.add(entry);
    }
    for entry in ["<>/work/app/locked", "<>/work/app/src/a.txt", "<>/work/safe"] {
        scene.add(&format!("mode 000 {entry}"));
    }
    let scene = Mutex::new(scene);
    without_override(|| {
        let scene = scene.lock().unwrap();
        for backend in EACH {
            // A zone behind a locked door is protected by its name.
            let zones = open(&scene, &["<>/work/app"], &["<>/work/safe/keys"]);
            let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
            for what in [
                "read locked/x",
                "write locked/new",
                "write locked/ln/x",
                "delete locked/x",
            ] {
                assert_eq!(
                    kind(&scene, &resolver, what),
                    Some(ErrorKind::Denied),
                    "{backend:?} {what}"
                );
            }
            assert_eq!(
                kind(&scene, &resolver, "read <>/work/safe/keys/k"),
                Some(ErrorKind::Protected)
            );
            // The object may be named without the right to read it: the tool will be told.
            let unreadable = ask(&scene, &resolver, "read src/a.txt").unwrap();
            assert_eq!(unreadable.standing(), Standing::Inside { root: 0 });
        }
    });
}

#[test]
fn without_openat2_everything_is_walked() {
    for errno in [Errno::NOSYS, Errno::PERM] {
        failing(&[OPENAT2], errno, || {
            let scene = Scene::new();
            scene.add("<>/work/app/ln -> <>/work/secret");
            let expected = [
                ("read src/a.txt", "inside"),
                ("read ln/key", "outside"),
                ("write new/x", "inside"),
                ("delete ln", "inside"),
                ("read nope", "NotFound"),
            ];
            // Also when the kernel was there at the start and the filter came later.
            let zones = || open(&scene, &["<>/work/app"], &[]);
            let probed = Resolver::new(zones(), Ambient::empty());
            let filtered = Resolver::with_backend(zones(), Ambient::empty(), Backend::Kernel);
            for (what, expected) in expected {
                for resolver in [&probed, &filtered] {
                    let answer = match ask(&scene, resolver, what) {
                        Ok(target) => {
                            target.verify().unwrap();
                            match target.standing() {
                                Standing::Inside { .. } => "inside".to_owned(),
                                _ => "outside".to_owned(),
                            }
                        }
                        Err(error) => format!("{:?}", error.kind()),
                    };
                    assert_eq!(answer, expected, "{errno} {what}");
                }
            }
        });
    }
}

#[test]
fn process_relative_names_are_refused() {
    for backend in EACH {
        let scene = Scene::new();
        let zones = open(&scene, &["<>/work/app", "/"], &[]);
        let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
        for what in [
            "read /proc/self/environ",
            "read /dev/fd/0",
            "list /proc/thread-self/cwd",
            "lstat /proc/self",
        ] {
            // Under the root `/`, /proc and /dev are mounts of their own; either reason refuses.
            let kind = kind(&scene, &resolver, what);
            assert!(
                matches!(kind, Some(ErrorKind::Special | ErrorKind::Mount)),
                "{backend:?} {what} {kind:?}"
            );
        }
        assert_eq!(operation("read"), Operation::Read);
    }
}

#[test]
fn a_write_through_an_overlay_that_becomes_another_object_is_noticed() {
    with_own_mounts("overlay", || {
        for backend in EACH {
            let scene = Scene::new();
            scene.add("overlay <>/work/app");
            let resolver =
                Resolver::with_backend(open(&scene, &["<>/work/app"], &[]), Ambient::empty(), backend);
            let content = || std::fs::read_to_string(scene.path("<>/work/app/f")).unwrap();
            // Opened for writing, the file moves to the upper layer and is another object: nothing is written.
            let in_place = ask(&scene, &resolver, "write f").unwrap();
            assert!(
                matches!(in_place.concerns(), [Concern::HardLinked { names: 2 }]),
                "{in_place:?}"
            );
            in_place.verify().unwrap();
            let ended = in_place.write_in_place(b"high").unwrap_err().kind();
            assert_eq!((ended, content().as_str()), (ErrorKind::Changed, "low"));
            // Looked at again it is one name of its own, and stays the same from now on.
            let again = ask(&scene, &resolver, "write f").unwrap();
            assert_eq!(again.concerns(), []);
            again.write_in_place(b"high").unwrap();
            assert_eq!(content(), "high");
            // A replacement never needed the old object.
            ask(&scene, &resolver, "write g")
                .unwrap()
                .replace(b"new")
                .unwrap();
            assert_eq!(
                std::fs::read_to_string(scene.path("<>/layers/lower/g")).unwrap(),
                "low"
            );
        }
    });
}

#[test]
fn work_is_bounded_alike_on_both_ways() {
    let scene = Scene::new();
    let top = scene.path("<>/work/app").components().count() - 1;
    std::fs::create_dir_all(scene.path(&format!("<>/work/app/{}", "d/".repeat(600)))).unwrap();
    scene.add("<>/work/app/0 -> src/a.txt");
    for link in 1..=40 {
        scene.add(&format!("<>/work/app/{link} -> {}", link - 1));
    }
    // A legal text, but six of them together are too much.
    scene.add(&format!("<>/work/app/far -> {}src", "./".repeat(1500)));
    let deepest = "d/".repeat(511 - top);
    let one_more = format!("{deepest}d");
    for backend in EACH {
        let zones = open(&scene, &["<>/work/app"], &[]);
        let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
        let far = format!("{}a.txt", "far/../".repeat(6));
        for (text, expected) in [
            (deepest.as_str(), None),
            (one_more.as_str(), Some(ErrorKind::Budget)),
            ("39", None),
            ("40", Some(ErrorKind::Loop)),
            (&"./".repeat(2000), None),
            (&"a/".repeat(2000), Some(ErrorKind::NotFound)),
            (&format!("{}src", "src/../".repeat(500)), None),
            (&far, Some(ErrorKind::Budget)),
        ] {
            let kind = kind(&scene, &resolver, &format!("list {text}"));
            assert_eq!(kind, expected, "{backend:?} {}", text.get(..40).unwrap_or(text));
        }
    }
}
