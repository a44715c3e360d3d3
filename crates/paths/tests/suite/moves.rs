//! What leads to a zone moves: its protection goes along, whatever is left in its place.

use std::path::Path;
use std::sync::Barrier;

use portcullis_paths::{Ambient, Backend, Dialect, ErrorKind, Operation, Request, Resolver, Zones};
use portcullis_testing::with_own_mounts;
use rstest::rstest;

use crate::scene::Scene;
use crate::zones::{answer, resolver};

/// Each way of asking the kernel, before and after the watch is set up; the walk has none.
const WAYS: [(Backend, usize); 5] = [
    (Backend::Kernel, 0),
    (Backend::Kernel, 40),
    (Backend::Names, 0),
    (Backend::Names, 40),
    (Backend::Walk, 0),
];

#[rstest]
#[case::itself("rename <>/work/secret <>/work/app/s2", "read s2/key")]
#[case::deep("rename <>/work/secret <>/work/app/src/s2", "read src/s2/deep/x")]
#[case::its_parent("rename <>/work/outer <>/work/app/o", "read o/inner/x")]
#[case::right_below_the_root("rename <>/work/outer <>/work/app/o", "delete-tree o")]
#[case::moved_on("rename <>/work/outer <>/work/app/o", "move-from o")]
#[case::before_it_exists("rename <>/work/place <>/work/app/p", "write p/later/x")]
fn a_zone_that_moves_takes_its_protection_along(#[case] change: &str, #[case] what: &str) {
    for (backend, warm) in WAYS {
        let scene = Scene::new();
        for entry in ["<>/work/secret/deep/x", "<>/work/outer/inner/x", "<>/work/place/"] {
            scene.add(entry);
        }
        let zones = [
            "deny-read <>/work/secret",
            "deny-read <>/work/outer/inner",
            "deny-write <>/work/place/later",
        ];
        let resolver = resolver(&scene, backend, &zones);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        }
        scene.change(change);
        assert_eq!(answer(&scene, &resolver, what), "Protected", "{backend:?} {warm}");
        assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
    }
}

/// Whoever moves a directory may leave a link in its place: its old name then still leads to it.
#[rstest]
#[case::its_parent(&["rename <>/work/app/d <>/work/app/e", "link <>/work/app/d <>/work/app/e"], "read e/keys/k")]
#[case::itself(&["rename <>/work/app/d/keys <>/work/app/k", "link <>/work/app/d/keys <>/work/app/k"], "read k/k")]
#[case::before_it_exists(&["rename <>/work/app/d <>/work/app/e", "link <>/work/app/d <>/work/app/e"], "write e/later/x")]
#[case::its_parent_alone(
    &["rename <>/work/app/d <>/work/app/e", "dir <>/work/app/d", "rename <>/work/app/e/keys <>/work/app/d/keys"],
    "write e/later/x"
)]
#[case::outside(&["rename <>/work/out <>/work/o", "link <>/work/out <>/work/o"], "read <>/work/o/keys/k")]
#[case::above_the_root(&["rename <>/work <>/w", "link <>/work <>/w"], "read <>/w/.later/k")]
fn a_link_left_in_the_place_of_what_moved_hides_nothing(#[case] changes: &[&str], #[case] what: &str) {
    for (backend, warm) in WAYS {
        let scene = Scene::new();
        scene.add("<>/work/app/d/keys/k");
        scene.add("<>/work/out/keys/k");
        let zones = [
            "deny-read <>/work/app/d/keys",
            "deny-write <>/work/app/d/later",
            "deny-read <>/work/out/keys",
            "deny-read <>/work/.later",
        ];
        let resolver = resolver(&scene, backend, &zones);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        }
        for change in changes {
            scene.change(change);
        }
        assert_eq!(answer(&scene, &resolver, what), "Protected", "{backend:?} {warm}");
    }
}

/// What a protected place leads back out to is not told, wherever that place is by now (R15).
#[rstest]
#[case::with_dots("read s/deep/../../f")]
#[case::through_a_link("read s/up")]
#[case::through_a_link_on_the_way("read s/over/../f")]
fn a_way_through_a_zone_that_moved_is_refused(#[case] what: &str) {
    for (backend, warm) in WAYS {
        let scene = Scene::new();
        for entry in [
            "<>/work/app/f",
            "<>/work/secret/deep/x",
            "<>/work/secret/up -> ../f",
            "<>/work/secret/over -> ../src",
        ] {
            scene.add(entry);
        }
        let resolver = resolver(&scene, backend, &["deny-read <>/work/secret"]);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read f"), "inside");
        }
        scene.change("rename <>/work/secret <>/work/app/s");
        assert_eq!(answer(&scene, &resolver, what), "Protected", "{backend:?} {warm}");
    }
}

/// A root that is mounted over itself is the same object, but what is mounted in it then is not below what was opened.
#[rstest]
#[case::itself("<>/work/app")]
#[case::its_parent("<>/work")]
fn what_is_mounted_in_a_root_mounted_over_itself_is_seen(#[case] place: &str) {
    with_own_mounts("what_is_mounted_in_a_root_mounted_over_itself_is_seen", || {
        for (backend, warm, before) in [
            (Backend::Kernel, 0, false),
            (Backend::Kernel, 40, false),
            (Backend::Kernel, 40, true),
            (Backend::Names, 0, false),
            (Backend::Names, 40, false),
            (Backend::Names, 40, true),
            (Backend::Walk, 0, false),
        ] {
            let scene = Scene::new();
            scene.add("<>/work/app/x/key");
            let resolver = resolver(&scene, backend, &["deny-read <>/work/secret"]);
            let warm_up = || {
                for _ in 0..warm {
                    assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
                }
            };
            if !before {
                warm_up();
            }
            scene.bind(place, place);
            scene.bind("<>/work/secret", "<>/work/app/x");
            if before {
                warm_up();
            }
            assert_eq!(
                answer(&scene, &resolver, "read x/key"),
                "Protected",
                "{backend:?} {warm}"
            );
        }
    });
}

/// The root is seen at two places, and a zone goes on behind a mount at the other one: its names count here as well (R4).
#[test]
fn a_zone_behind_a_mount_at_another_place_of_the_root_is_known_by_its_names() {
    with_own_mounts("a_zone_behind_a_mount_at_another_place_of_the_root", || {
        for backend in Backend::ALL {
            let scene = Scene::new();
            for entry in ["<>/work/app/sub/", "<>/other/", "<>/elsewhere/"] {
                scene.add(entry);
            }
            scene.bind("<>/work", "<>/other");
            scene.mount_memory("<>/other/app/sub");
            let zones = ["deny-write <>/other/app/sub/later", "deny-read <>/other/app/sub"];
            for zone in zones {
                let resolver = resolver(&scene, backend, &[zone]);
                for _ in 0..40 {
                    assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
                }
                let told = answer(&scene, &resolver, "write sub/later");
                assert_eq!(told, "Protected", "{backend:?} {zone}");
            }
        }
    });
}

/// Every root has to be where it was, and not only the one that something is found in (R6).
#[rstest]
#[case::an_empty_root(true)]
#[case::the_directory_of_a_file(false)]
fn another_root_that_is_gone_refuses_everything(#[case] root: bool) {
    for (backend, warm) in WAYS {
        let scene = Scene::new();
        scene.add("<>/work/empty/");
        let builder = Zones::builder().root(scene.path("<>/work/app"));
        let builder = if root {
            builder.root(scene.path("<>/work/empty"))
        } else {
            builder.file(scene.path("<>/work/empty/later"))
        };
        let zones = builder.open(&Ambient::empty()).unwrap();
        let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        }
        scene.change("remove <>/work/empty");
        scene.change("dir <>/work/empty");
        assert_eq!(
            answer(&scene, &resolver, "read src/a.txt"),
            "Changed",
            "{backend:?} {warm}"
        );
    }
}

/// Whichever thread is told first, none goes on as if nothing had moved.
#[test]
fn every_thread_sees_what_one_of_them_was_told() {
    with_own_mounts("every_thread_sees_what_one_of_them_was_told", || {
        for round in 0..20 {
            let scene = Scene::new();
            scene.add("<>/work/app/x/key");
            let resolver = resolver(&scene, Backend::Kernel, &["deny-read <>/work/secret"]);
            for _ in 0..20 {
                assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
            }
            if round % 2 == 0 {
                scene.bind("<>/work/app", "<>/work/app");
                scene.bind("<>/work/secret", "<>/work/app/x");
            } else {
                scene.change("remove <>/work/app/x");
                scene.change("rename <>/work/secret <>/work/app/x");
            }
            let start = Barrier::new(4);
            let paths = (scene.path("<>/work/app"), scene.text("x/key"));
            let ask = || {
                start.wait();
                let answers = (0..40).map(|_| {
                    resolver.resolve(&Request {
                        text: &paths.1,
                        dialect: &Dialect::PLAIN,
                        operation: Operation::Read,
                        cwd: &paths.0,
                    })
                });
                answers.filter(Result::is_ok).count()
            };
            let wrong: Vec<usize> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(wrong, [0; 4], "round {round}");
        }
    });
}

/// What a tool makes below a working directory that is not there is made by nobody knows whom first.
#[rstest]
#[case::missing("<>/work/app/none", "qa", ErrorKind::NotFound, "<>/work/app/none/qa")]
#[case::deep(
    "<>/work/app/none/none",
    "qa/qb/",
    ErrorKind::NotFound,
    "<>/work/app/none/none/qa/qb"
)]
#[case::dangling("<>/work/app/dangling", "qa", ErrorKind::NotFound, "<>/work/app/none/qa")]
#[case::a_file(
    "<>/work/app/src/a.txt",
    "qa",
    ErrorKind::NotADirectory,
    "<>/work/app/src/a.txt/qa"
)]
#[case::below_a_file(
    "<>/work/app/src/a.txt/",
    "qa",
    ErrorKind::NotADirectory,
    "<>/work/app/src/a.txt"
)]
fn nothing_is_made_below_a_working_directory_that_is_none(
    #[case] cwd: &str,
    #[case] text: &str,
    #[case] kind: ErrorKind,
    #[case] place: &str,
    #[values(Operation::Write, Operation::CreateNew, Operation::MakeDir)] operation: Operation,
) {
    for backend in Backend::ALL {
        let scene = Scene::new();
        scene.add("<>/work/app/dangling -> none");
        let error = resolver(&scene, backend, &[]).resolve(&Request {
            text: &scene.text(text),
            dialect: &Dialect::PLAIN,
            operation,
            cwd: Path::new(&scene.path(cwd)),
        });
        let error = error.unwrap_err();
        assert_eq!(error.kind(), kind, "{backend:?} {error}");
        assert_eq!(
            error.place().unwrap().as_bytes(),
            scene.text(place),
            "{backend:?}"
        );
    }
}

/// The directory of a single file may be given through a link, as a root may (R6). A link in the place of the file itself is
/// another matter: where it leads is judged when it is asked about.
#[rstest]
#[case::to_its_directory("<>/work/linked", "<>/work/linked/file", "<>/work/other", "Changed")]
#[case::to_the_file("<>/work/to-file", "<>/work/to-file", "<>/work/home/another", "inside")]
fn a_link_to_the_directory_of_a_single_file_that_leads_elsewhere_refuses_everything(
    #[case] link: &str,
    #[case] given: &str,
    #[case] elsewhere: &str,
    #[case] expected: &str,
) {
    for (backend, warm) in WAYS {
        let scene = Scene::new();
        for entry in ["<>/work/home/file", "<>/work/home/another", "<>/work/other/file"] {
            scene.add(entry);
        }
        for (link, to) in [("linked", "home"), ("to-file", "home/file")] {
            std::os::unix::fs::symlink(to, scene.path("<>/work").join(link)).unwrap();
        }
        let builder = Zones::builder().root(scene.path("<>/work/app"));
        let zones = builder.file(scene.path(given)).open(&Ambient::empty()).unwrap();
        let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
        let read = || answer(&scene, &resolver, "read src/a.txt");
        for _ in 0..=warm {
            assert_eq!(read(), "inside");
        }
        // An editor puts another file in its place.
        scene.change("rename <>/work/home/another <>/work/home/file");
        scene.add("<>/work/home/another");
        assert_eq!(read(), "inside", "{backend:?} {warm}");
        scene.change(&format!("remove {link}"));
        std::os::unix::fs::symlink(scene.path(elsewhere), scene.path(link)).unwrap();
        assert_eq!(read(), expected, "{backend:?} {warm}");
    }
}
