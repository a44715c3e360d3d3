//! Zones and roots over time, mounts, rights and what a refusal tells, on both ways of asking the kernel.

use crate::scene::{Scene, operation};
use portcullis_paths::{
    Ambient, Backend, Concern, Dialect, Error, ErrorKind, Operation, Relation, Request, Resolver, Standing,
    State, Target, Zone, ZoneKind, Zones,
};
use rstest::rstest;

/// A resolver over `<>/work/app` with zones written as `kind path`.
pub(crate) fn resolver(scene: &Scene, backend: Backend, zones: &[&str]) -> Resolver {
    let ambient = Ambient::empty().with_home(scene.path("<>/home/u"));
    let mut builder = Zones::builder().root(scene.path("<>/work/app"));
    for zone in zones {
        let (kind, path) = zone.split_once(' ').unwrap();
        builder = builder.zone(Zone {
            id: (*zone).to_owned(),
            kind: match kind {
                "deny-read" => ZoneKind::DenyRead,
                "deny-write" => ZoneKind::DenyWrite,
                "confirm-read" => ZoneKind::ConfirmRead,
                "confirm-write" => ZoneKind::ConfirmWrite,
                _ => ZoneKind::Named,
            },
            path: scene.path(path),
        });
    }
    Resolver::with_backend(builder.open(&ambient).unwrap(), ambient, backend)
}

fn ask(scene: &Scene, resolver: &Resolver, what: &str) -> Result<Target, Error> {
    let (verb, text) = what.split_once(' ').unwrap();
    resolver.resolve(&Request {
        text: &scene.text(text),
        dialect: &Dialect::PLAIN,
        operation: operation(verb),
        cwd: &scene.path("<>/work/app"),
    })
}

/// The short answer: `protected`, an error's kind, or where it stands.
pub(crate) fn answer(scene: &Scene, resolver: &Resolver, what: &str) -> String {
    match ask(scene, resolver, what) {
        Ok(target) if matches!(target.standing(), Standing::Inside { .. }) => "inside".to_owned(),
        Ok(_) => "outside".to_owned(),
        Err(error) => format!("{:?}", error.kind()),
    }
}

const EACH: [Backend; 3] = Backend::ALL;

#[rstest]
#[case::read_in_deny_read("deny-read <>/work/secret", "read ../secret/key", "Protected")]
#[case::missing_in_deny_read("deny-read <>/work/secret", "read ../secret/nope", "Protected")]
#[case::through_a_file_in_deny_read("deny-read <>/work/secret", "read ../secret/key/x", "Protected")]
#[case::out_of_deny_read_again(
    "deny-read <>/work/secret",
    "read ../secret/deep/../../app/src/a.txt",
    "Protected"
)]
#[case::out_of_nothing_in_deny_read(
    "deny-read <>/work/secret",
    "read ../secret/nope/../../app/src/a.txt",
    "Protected"
)]
#[case::out_of_deny_read_to_nothing(
    "deny-read <>/work/secret",
    "read ../secret/deep/../../app/nope",
    "Protected"
)]
#[case::through_a_link_in_deny_read("deny-read <>/work/secret", "read ../secret/back/a.txt", "Protected")]
#[case::through_a_link_in_deny_read_to_nothing(
    "deny-read <>/work/secret",
    "read ../secret/back/nope",
    "Protected"
)]
#[case::through_a_link_in_deny_read_inside("deny-read <>/work/app/s", "read s/back/a.txt", "Protected")]
#[case::through_an_absolute_link_in_deny_read("deny-read <>/work/app/s", "read s/over/a.txt", "Protected")]
#[case::through_a_link_in_confirm_read_inside("confirm-read <>/work/app/s", "read s/over/a.txt", "inside")]
#[case::out_of_deny_read_inside("deny-read <>/work/app/s", "read s/deep/../../src/a.txt", "Protected")]
#[case::through_a_link_in_deny_read_by_its_place(
    "deny-read <>/work/secret",
    "read <>/work/secret/back/a.txt",
    "Protected"
)]
#[case::through_a_link_in_deny_write("deny-write <>/work/secret", "write ../secret/back/a.txt", "Protected")]
#[case::write_in_deny_read("deny-read <>/work/secret", "write ../secret/key", "Protected")]
#[case::lstat_in_deny_read("deny-read <>/work/secret", "lstat ../secret/key", "Protected")]
#[case::parent_of_deny_read("deny-read <>/work/app/src", "list .", "inside")]
#[case::delete_parent_of_deny_read("deny-read <>/work/app/d/keys", "delete-tree d", "Protected")]
#[case::move_parent_of_deny_write("deny-write <>/work/app/d/keys", "move-from d", "Protected")]
#[case::read_in_deny_write("deny-write <>/work/app/src", "read src/a.txt", "inside")]
#[case::chmod_in_deny_write("deny-write <>/work/app/src", "set-meta src/a.txt", "Protected")]
#[case::hard_link_from_deny_write("deny-write <>/work/app/src", "hard-link-from src/a.txt", "Protected")]
#[case::link_into_deny_write("deny-write <>/work/app/src", "link-to src/new", "Protected")]
#[case::make_dir_deny_write("deny-write <>/work/app/new", "make-dir new/deep", "Protected")]
#[case::beside_deny_write("deny-write <>/work/app/src", "write src2/x", "inside")]
#[case::folded_beside("deny-write <>/work/app/.git", "write .gitignore", "inside")]
#[case::folded_deep("deny-write <>/work/app/.git", "write .GIT/hooks/x", "Protected")]
#[case::folded_full_width("deny-write <>/work/app/.git", "write ．ｇｉｔ/x", "Protected")]
#[case::root_itself("deny-write <>/nowhere", "delete-tree .", "outside")]
#[case::link_outside_spelled_with_a_slash("named <>/nowhere", "delete-tree ../out/", "outside")]
#[case::link_outside_followed("named <>/nowhere", "list ../out/", "inside")]
#[case::what_it_leads_to("deny-write <>/work/app/src", "delete-tree ../out/", "Protected")]
#[case::the_link_alone("deny-write <>/work/app/src", "delete-tree ../out", "outside")]
#[case::slash("deny-write <>/nowhere", "delete-tree /", "Protected")]
#[case::slash_alone("confirm-write <>/nowhere", "delete-tree /", "WrongType")]
#[case::zone_above_the_root("deny-read <>/work", "read src/a.txt", "Protected")]
#[case::zone_is_the_root("deny-write <>/work/app", "write new", "Protected")]
#[case::zone_by_its_link("deny-write <>/work/app/cfg", "delete cfg", "Protected")]
#[case::zone_behind_its_link("deny-write <>/work/app/cfg", "write real", "Protected")]
#[case::zone_given_with_slash("deny-write <>/work/app/cfgdir/", "delete cfgdir", "Protected")]
#[case::zone_at_home("deny-read ~/.ssh_id", "read <>/home/u/.ssh_id", "Protected")]
fn zones_decide(#[case] zone: &str, #[case] what: &str, #[case] expected: &str) {
    for backend in EACH {
        let scene = Scene::new();
        for entry in [
            "<>/work/app/d/keys/k",
            "<>/work/app/real",
            "<>/work/app/cfg -> real",
            "<>/work/app/cfgdir -> src",
            "<>/work/out -> app/src",
            "<>/work/secret/deep/x",
            "<>/work/app/s/deep/x",
            "<>/work/app/s/back -> ../src",
            "<>/work/app/s/over -> <>/work/app/src",
            "<>/work/secret/back -> ../app/src",
        ] {
            scene.add(entry);
        }
        let resolver = resolver(&scene, backend, &[zone]);
        assert_eq!(answer(&scene, &resolver, what), expected, "{backend:?}");
    }
}

/// Whoever may put a link in the place of a zone must not be able to stop everything else.
#[rstest]
#[case::to_itself("zone")]
#[case::to_a_process("/proc/self/cwd")]
#[case::to_a_name_that_is_too_long(&"x".repeat(300))]
#[case::up_from_nothing("nope/../src")]
#[case::through_a_file("src/a.txt/x")]
fn a_zone_that_leads_nowhere_is_its_name(#[case] text: &str) {
    for backend in EACH {
        let scene = Scene::new();
        scene.add(&format!("<>/work/app/zone -> {text}"));
        let resolver = resolver(&scene, backend, &["deny-write <>/work/app/zone"]);
        assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        assert_eq!(answer(&scene, &resolver, "write src/a.txt"), "inside");
        for what in ["delete zone", "move-from zone", "move-to zone", "delete-tree ."] {
            assert_eq!(answer(&scene, &resolver, what), "Protected", "{what}");
        }
        scene.change("remove <>/work/app/zone");
        for what in ["write zone", "make-dir zone/x"] {
            assert_eq!(answer(&scene, &resolver, what), "Protected", "{what}");
        }
    }
}

#[test]
fn the_strictest_zone_is_named() {
    for backend in EACH {
        let scene = Scene::new();
        let zones = [
            "deny-write <>/work/app/src",
            "confirm-read <>/work/app/src",
            "deny-read <>/work/app/src",
        ];
        let resolver = resolver(&scene, backend, &zones);
        let error = ask(&scene, &resolver, "write src/a.txt").unwrap_err();
        assert_eq!(error.rule(), Some("deny-read <>/work/app/src"));
        assert_eq!(
            error.place().unwrap().as_bytes(),
            scene.text("<>/work/app/src/a.txt")
        );
    }
}

#[test]
fn concerns_and_touches_are_reported() {
    for backend in EACH {
        let scene = Scene::new();
        let zones = [
            "confirm-write <>/work/app/src",
            "confirm-read <>/work/app/src/a.txt",
            "named <>/work/app/src",
        ];
        let resolver = resolver(&scene, backend, &zones);
        let zones_of = |what: &str| -> Vec<(String, Relation)> {
            let target = ask(&scene, &resolver, what).unwrap();
            target
                .touches()
                .iter()
                .map(|touch| (touch.zone.clone(), touch.relation))
                .collect()
        };
        let all = |relation| zones.map(|zone| (zone.to_owned(), relation)).to_vec();
        assert_eq!(zones_of("read src/a.txt"), all(Relation::Within));
        assert_eq!(zones_of("list ."), []);
        assert_eq!(zones_of("delete-tree src/../../app2"), []);
        assert_eq!(zones_of("search ."), all(Relation::Contains));
        let concerns = |what: &str| ask(&scene, &resolver, what).unwrap().concerns().to_vec();
        let read = Concern::ConfirmRead {
            zone: zones[1].to_owned(),
        };
        let write = Concern::ConfirmWrite {
            zone: zones[0].to_owned(),
        };
        assert_eq!(concerns("read src/a.txt"), std::slice::from_ref(&read));
        assert_eq!(
            concerns("search ."),
            std::slice::from_ref(&read),
            "what is below is read"
        );
        assert_eq!(concerns("write src/new"), std::slice::from_ref(&write));
        assert_eq!(concerns("move-from src/a.txt"), [write, read]);
        assert_eq!(concerns("write top\u{202e}"), [Concern::UnusualName]);
    }
}

#[rstest]
#[case::removed(&["remove <>/work/app"])]
#[case::replaced(&["rename <>/work/app <>/work/old", "file <>/work/app/src/a.txt"])]
#[case::replaced_by_a_link(&["rename <>/work/app <>/work/old", "link <>/work/app <>/work/old"])]
#[case::its_parent_replaced(&["rename <>/work <>/old", "file <>/work/app/src/a.txt"])]
#[case::emptied_and_made_again(&["remove <>/work/app", "file <>/work/app/src/a.txt"])]
#[case::emptied_and_made_again_empty(&["remove <>/work/app", "dir <>/work/app"])]
fn a_root_that_is_not_what_it_was_refuses_everything(
    #[case] changes: &[&str],
    // The first decisions look at names, the later ones wait for notices.
    #[values(1, 40)] warm: u32,
) {
    for backend in EACH {
        let scene = Scene::new();
        let resolver = resolver(&scene, backend, &[]);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        }
        changes.iter().for_each(|change| scene.change(change));
        for what in [
            "read src/a.txt",
            "list <>/work/app",
            "write new",
            "make-dir new/x",
            "write <>/work/app2/f",
            "read /nowhere",
        ] {
            assert_eq!(answer(&scene, &resolver, what), "Changed", "{backend:?} {what}");
        }
    }
}

#[test]
fn a_refusal_does_not_tell_what_exists() {
    for backend in EACH {
        let scene = Scene::new();
        scene.add("<>/work/secret/loop -> loop");
        scene.add("<>/work/secret/ff|");
        scene.add("<>/work/open/file");
        scene.add("<>/work/open/loop -> loop");
        scene.add("<>/work/open/ff|");
        let resolver = resolver(&scene, backend, &["deny-read <>/work/secret"]);
        let told = |what: &str| {
            let error = ask(&scene, &resolver, what).unwrap_err();
            let text = error.to_string();
            let (_, sentence) = text.rsplit_once("` ").unwrap();
            let source = std::error::Error::source(&error).is_some();
            (sentence.to_owned(), error.code(), error.hint(), source)
        };
        let protected = told("read ../secret/key");
        for what in [
            "read ../secret/nope",
            "read ../secret/loop",
            "read ../secret/key/x",
            "read ../secret/ff",
            "read ../open/nope",
            "read ../open/loop",
            "read ../open/file/x",
            "read ../open/ff",
            "working-dir ../open/file",
            "create-new ../open/file",
            "read /nowhere/at/all",
            "read ../open/*.rs",
        ] {
            assert_eq!(told(what), protected, "{backend:?} {what}");
        }
        assert_ne!(told("read nope"), protected, "inside, it says what it is");
    }
}

#[rstest]
#[case("write src/a.txt", true)]
#[case("delete src/a.txt", true)]
#[case("move-from src/a.txt", true)]
#[case("read src/a.txt", true)]
#[case("delete src", true)]
#[case("write new", false)]
#[case("make-dir x/y", false)]
#[case("delete ln", true)]
fn every_way_holds_the_same(#[case] what: &str, #[case] exists: bool) {
    let scene = Scene::new();
    scene.add("<>/work/app/ln -> nowhere");
    let targets = EACH.map(|backend| ask(&scene, &resolver(&scene, backend, &[]), what).unwrap());
    let walked = &targets[2];
    for target in &targets {
        assert_eq!(target.place(), walked.place());
        assert_eq!(target.identity(), walked.identity());
        assert_eq!(target.state(), walked.state());
        assert_eq!(target.standing(), walked.standing());
        assert_eq!(target.identity().is_some(), exists);
        target.verify().unwrap();
    }
}

#[rstest]
#[case::read("read ff")]
#[case::write("write ff")]
#[case::search("search ff")]
#[case::hard_link("hard-link-from ff")]
fn a_pipe_is_never_opened(#[case] what: &str) {
    for backend in EACH {
        let scene = Scene::new();
        scene.add("<>/work/app/ff|");
        let resolver = resolver(&scene, backend, &[]);
        assert_eq!(answer(&scene, &resolver, what), "Special", "{backend:?}");
        for fine in ["lstat ff", "delete ff", "move-from ff", "delete-tree ff"] {
            assert_eq!(answer(&scene, &resolver, fine), "inside", "{backend:?} {fine}");
        }
    }
}

#[rstest]
#[case::create_new_on_a_link("create-new ln", ErrorKind::Exists)]
#[case::make_dir_on_a_file("make-dir src/a.txt", ErrorKind::Exists)]
#[case::run_in_a_file("working-dir src/a.txt", ErrorKind::NotADirectory)]
#[case::move_to_deep("move-to x/y", ErrorKind::NotFound)]
#[case::move_to_slash("move-to x/", ErrorKind::NotFound)]
#[case::delete_missing("delete x", ErrorKind::NotFound)]
#[case::long_name(
    "write aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ErrorKind::TooLong
)]
fn leaves_that_do_not_fit(#[case] what: &str, #[case] expected: ErrorKind) {
    for backend in EACH {
        let scene = Scene::new();
        scene.add("<>/work/app/ln -> src/new");
        let resolver = resolver(&scene, backend, &[]);
        assert_eq!(
            ask(&scene, &resolver, what).unwrap_err().kind(),
            expected,
            "{backend:?}"
        );
    }
}

#[test]
fn links_that_were_followed_are_listed() {
    for backend in EACH {
        let scene = Scene::new();
        scene.add("<>/work/app/one -> two");
        scene.add("<>/work/app/two -> src");
        let target = ask(&scene, &resolver(&scene, backend, &[]), "read one/a.txt").unwrap();
        let links: Vec<&[u8]> = target.links().iter().map(|link| link.as_bytes()).collect();
        assert_eq!(
            links,
            [scene.text("<>/work/app/one"), scene.text("<>/work/app/two")]
        );
        assert_eq!(target.state(), State::Existing(portcullis_paths::FileKind::File));
    }
}

#[rstest]
#[case::made("write new", &["file <>/work/app/new"])]
#[case::made_as_a_link("write new", &["link <>/work/app/new <>/work/secret/key"])]
#[case::made_above("write x/y/new", &["file <>/work/app/x/z"])]
#[case::its_directory_moved("write src/new", &["rename <>/work/app/src <>/work/src", "file <>/work/app/src/z"])]
#[case::another_link("delete ln", &["remove <>/work/app/ln", "link <>/work/app/ln <>/work/secret"])]
#[case::rewritten("read src/a.txt", &["file <>/work/app/src/a.txt"])]
#[case::under_another_root(
    "read src/a.txt",
    &["rename <>/work/app <>/work/old", "file <>/work/app/z", "rename <>/work/old/src <>/work/app/src"]
)]
fn a_change_is_noticed(#[case] what: &str, #[case] changes: &[&str]) {
    for backend in EACH {
        let scene = Scene::new();
        scene.add("<>/work/app/ln -> nowhere");
        let target = ask(&scene, &resolver(&scene, backend, &[]), what).unwrap();
        target.verify().unwrap();
        changes.iter().for_each(|change| scene.change(change));
        assert_eq!(
            target.verify().unwrap_err().kind(),
            ErrorKind::Changed,
            "{backend:?}"
        );
    }
}

#[test]
fn what_happens_beside_it_is_no_change() {
    for backend in EACH {
        let scene = Scene::new();
        let resolver = resolver(&scene, backend, &[]);
        let targets = ["write new", "list .", "read src/a.txt", "delete-tree src"];
        let targets = targets.map(|what| ask(&scene, &resolver, what).unwrap());
        scene.change("file <>/work/app/beside");
        scene.change("file <>/work/app/src/beside");
        for target in &targets {
            target.verify().unwrap();
        }
    }
}

#[rstest]
#[case::relative("work/app")]
#[case::missing("<>/work/none")]
#[case::a_file("<>/work/app/src/a.txt")]
#[case::a_loop("<>/work/loop")]
fn roots_that_cannot_be_used(#[case] root: &str) {
    let scene = Scene::new();
    scene.add("<>/work/loop -> loop");
    let error = Zones::builder()
        .root(scene.path(root))
        .open(&Ambient::empty())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Zones);
}

#[test]
fn a_home_that_is_not_known_cannot_be_a_zone() {
    let zone = Zone {
        id: "keys".to_owned(),
        kind: ZoneKind::DenyRead,
        path: "~/.ssh".into(),
    };
    let error = Zones::builder().zone(zone).open(&Ambient::empty()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Zones);
}

#[test]
fn every_operation_has_a_word() {
    assert_eq!(operation("hard-link-from"), Operation::HardLinkFrom);
}
