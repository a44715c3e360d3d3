//! What a pattern may select: nothing that a tool would select is missed, and names with `*` in them stay names.

use std::path::Path;

use crate::scene::Scene;
use portcullis_paths::{
    Ambient, Backend, Dialect, ErrorKind, GlobReach, Operation, Request, Resolver, Standing, Zone, ZoneKind,
    Zones,
};
use proptest::prelude::*;
use proptest::sample::select;
use rstest::rstest;

const EACH: [Backend; 3] = Backend::ALL;

fn resolver(scene: &Scene, backend: Backend, denied: &[&str]) -> Resolver {
    let mut builder = Zones::builder().root(scene.path("<>/work/app"));
    for path in denied {
        let (kind, path) = match path.strip_prefix("write ") {
            Some(path) => (ZoneKind::DenyWrite, path),
            None => (ZoneKind::DenyRead, *path),
        };
        builder = builder.zone(Zone {
            id: path.to_owned(),
            kind,
            path: scene.path(path),
        });
    }
    let ambient = Ambient::empty().with_home(scene.path("<>/home/u"));
    Resolver::with_backend(builder.open(&ambient).unwrap(), ambient, backend)
}

fn reach(
    scene: &Scene,
    resolver: &Resolver,
    dialect: &Dialect,
    operation: Operation,
    text: &str,
) -> Result<GlobReach, ErrorKind> {
    let request = Request {
        text: &scene.text(text),
        dialect,
        operation,
        cwd: &scene.path("<>/work/app"),
    };
    resolver.glob(&request).map_err(|error| error.kind())
}

fn said(scene: &Scene, reach: &Result<GlobReach, ErrorKind>) -> String {
    match reach {
        Err(kind) => format!("{kind:?}"),
        Ok(reach) if !reach.is_complete() => "incomplete".to_owned(),
        Ok(reach) => match reach.outside() {
            Some(place) => {
                let place = String::from_utf8(place.as_bytes().to_vec()).unwrap();
                let top = String::from_utf8(scene.text("<>")).unwrap();
                format!("outside {}", place.replace(&top, "<>"))
            }
            None => format!("{} inside", reach.selected()),
        },
    }
}

#[rstest]
#[case::glob_002("**/key", "outside <>/work/secret")]
#[case::glob_005("../*", "outside <>/work")]
#[case::plain("src/*.txt", "1 inside")]
#[case::nothing("src/*.rs", "0 inside")]
#[case::nothing_there("no/where/*", "0 inside")]
#[case::deep("src/**/*.txt", "2 inside")]
#[case::a_name("src/a.txt", "1 inside")]
#[case::nothing_behind_a_file("src/a.txt/**", "1 inside")]
#[case::nothing_behind_a_link_out("ln/key/**", "outside <>/work/secret/key")]
#[case::link_by_name("ln/*", "outside <>/work/secret")]
#[case::link_by_wildcard("l?/key", "outside <>/work/secret")]
#[case::link_at_the_end("l*", "outside <>/work/secret")]
#[case::braces("{src,ln}/key", "outside <>/work/secret/key")]
#[case::braces_up("{src,../secret}/key", "outside <>/work/secret/key")]
#[case::range("src/{a..c}.txt", "1 inside")]
#[case::home("~/*", "Protected")]
#[case::home_without_dots("~/a*", "outside <>/home/u")]
#[case::home_in_braces("{~,src}/x", "outside <>/home/u/x")]
#[case::absolute("/*", "outside /")]
#[case::climbs("*/../../secret/*", "Ambiguous")]
#[case::unbalanced("{a", "Ambiguous")]
#[case::excluding("!src/**", "Protected")]
#[case::protected("vault/*", "Protected")]
#[case::protected_by_wildcard("v*/k", "Protected")]
#[case::protected_in_braces("src/{a.txt,../vault/k}", "Protected")]
#[case::protected_by_case("VAUL[T]/k", "Protected")]
#[case::protected_far_away("<>/home/*/.ssh_id", "Protected")]
#[case::variable("$HOME/*", "Ambiguous")]
fn patterns_are_met_with_zones(#[case] text: &str, #[case] expected: &str) {
    for backend in EACH {
        let scene = Scene::new();
        for entry in [
            "<>/work/app/src/deep/b.txt",
            "<>/work/app/ln -> <>/work/secret",
            "<>/work/app/vault/k",
            "<>/work/app/gone -> nowhere",
            "<>/work/app/round -> round",
            "<>/work/app/src/up -> ..",
        ] {
            scene.add(entry);
        }
        // `**` goes everywhere, so it is asked where nothing else is denied.
        let denied: &[&str] = if text.starts_with("**") || text.starts_with("src/**") {
            &[]
        } else {
            &["<>/work/app/vault", "<>/home/u/.ssh_id"]
        };
        if text.starts_with("src/**") {
            scene.change("remove <>/work/app/src/up");
        }
        let answer = reach(
            &scene,
            &resolver(&scene, backend, denied),
            &Dialect::AGENT,
            Operation::Read,
            text,
        );
        assert_eq!(said(&scene, &answer), expected, "{backend:?} {text}");
    }
}

#[rstest]
#[case("later/*", Err(ErrorKind::Protected))]
#[case("later/**", Err(ErrorKind::Protected))]
#[case("**/deep", Ok("0 inside"))]
#[case("l*/k", Err(ErrorKind::Protected))]
#[case("**/k", Err(ErrorKind::Protected))]
#[case("{src,later}/[k]", Err(ErrorKind::Protected))]
#[case("*/k/**", Err(ErrorKind::Protected))]
#[case("later/?", Err(ErrorKind::Protected))]
#[case("later/*.txt", Ok("0 inside"))]
#[case("*/a*", Ok("1 inside"))]
#[case("k/*", Ok("0 inside"))]
fn a_zone_counts_by_its_name_before_it_exists(#[case] text: &str, #[case] expected: Result<&str, ErrorKind>) {
    for backend in EACH {
        let scene = Scene::new();
        let resolver = resolver(&scene, backend, &["<>/work/app/later/k"]);
        let answer = reach(&scene, &resolver, &Dialect::AGENT, Operation::Search, text);
        let answer = answer.map(|reach| said(&scene, &Ok(reach)));
        assert_eq!(
            answer.as_deref().map_err(|kind| *kind),
            expected,
            "{backend:?} {text}"
        );
    }
}

#[rstest]
#[case("SPÄTER/*")]
#[case("s*TER/k")]
#[case("spa\u{308}te?/K")]
#[case("**/K")]
#[case("*/ｋ")]
#[case("{src,ＳＰÄＴＥＲ}/[k]")]
fn a_zone_counts_by_names_that_some_disk_confuses_with_its_own(#[case] text: &str) {
    for backend in EACH {
        let scene = Scene::new();
        let resolver = resolver(&scene, backend, &["<>/work/app/Später/k"]);
        let answer = reach(&scene, &resolver, &Dialect::PLAIN, Operation::Search, text);
        assert_eq!(answer, Err(ErrorKind::Protected), "{backend:?} {text}");
    }
}

#[test]
fn a_shells_star_does_not_take_what_begins_with_a_dot() {
    for backend in EACH {
        let scene = Scene::new();
        scene.add("<>/work/app/.git/config");
        let resolver = resolver(&scene, backend, &["write <>/work/app/.git"]);
        let delete = |dialect, text| reach(&scene, &resolver, dialect, Operation::DeleteTree, text).err();
        assert_eq!(delete(&Dialect::SHELL_WORD, "*"), None);
        assert_eq!(delete(&Dialect::SHELL_WORD, ".*"), Some(ErrorKind::Protected));
        assert_eq!(delete(&Dialect::PLAIN, "*"), Some(ErrorKind::Protected));
        assert_eq!(
            delete(&Dialect::PLAIN, "../ap*"),
            Some(ErrorKind::Protected),
            "it holds the zone"
        );
    }
}

#[test]
fn a_name_that_looks_like_a_pattern_is_a_name_where_nothing_expands_it() {
    for backend in EACH {
        let scene = Scene::new();
        for name in ["[slug].tsx", "a*", "{b,c}", "what?"] {
            scene.add(&format!("<>/work/app/{name}"));
        }
        scene.add("<>/work/app/slug.tsx -> <>/work/secret/key");
        let resolver = resolver(&scene, backend, &[]);
        for name in ["[slug].tsx", "a*", "{b,c}", "what?"] {
            for dialect in [
                &Dialect::AGENT,
                &Dialect::PLAIN,
                &Dialect::PI,
                &Dialect::SHELL_WORD,
            ] {
                let request = Request {
                    text: name.as_bytes(),
                    dialect,
                    operation: Operation::Read,
                    cwd: &scene.path("<>/work/app"),
                };
                let target = resolver.resolve(&request).unwrap();
                assert_eq!(
                    target.place().as_bytes(),
                    scene.text(&format!("<>/work/app/{name}"))
                );
                assert_eq!(target.standing(), Standing::Inside { root: 0 });
                // A tool that expands gets the name too, where the shell hands it over.
                assert!(resolver.glob(&request).unwrap().selected() >= 1, "{name}");
            }
        }
    }
}

#[test]
fn work_is_bounded_and_what_was_not_looked_at_asks() {
    let scene = Scene::new();
    for folder in 0..17 {
        for file in 0..1000 {
            let file = scene.path(&format!("<>/work/app/many{folder}/f{file}"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::File::create(file).unwrap();
        }
    }
    let resolver = resolver(&scene, Backend::Kernel, &[]);
    let reach = |text| reach(&scene, &resolver, &Dialect::AGENT, Operation::Read, text).unwrap();
    let all = reach("**/*");
    assert!(!all.is_complete() && all.asks());
    assert!(all.selected() <= 16_384 + 32, "{}", all.selected());
    // What is protected is found by its name, however late it would come.
    let denying = self::resolver(&scene, Backend::Kernel, &["<>/work/app/zzz/key"]);
    let request = Request {
        text: b"**/*",
        dialect: &Dialect::AGENT,
        operation: Operation::Read,
        cwd: &scene.path("<>/work/app"),
    };
    assert_eq!(denying.glob(&request).unwrap_err().kind(), ErrorKind::Protected);
    let one = reach("many0/*");
    assert!(one.is_complete() && !one.asks());
    assert_eq!(one.selected(), 1000);
}

/// The usual meaning of one component: another way than the code's.
fn usual(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => usual(rest, name) || (!name.is_empty() && usual(pattern, &name[1..])),
        (Some((b'?', rest)), Some((_, names))) => usual(rest, names),
        (Some((byte, rest)), Some((first, names))) => byte == first && usual(rest, names),
        _ => false,
    }
}

fn usual_path(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            usual_path(rest, path) || (!path.is_empty() && usual_path(pattern, &path[1..]))
        }
        (Some((part, rest)), Some((name, names))) => {
            usual(part.as_bytes(), name.as_bytes()) && usual_path(rest, names)
        }
        _ => false,
    }
}

/// Every file and directory of the tree, through links to directories as deep as patterns go.
fn paths(at: &Path, prefix: &str, depth: usize, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(at) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if depth > 0 {
            paths(&entry.path(), &format!("{path}/"), depth - 1, found);
        }
        found.push(path);
    }
}

fn part() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "b", "*", "?", "a*", "*b", "**", "ab"])
}

proptest! {
    /// Whatever the usual reading selects has been looked at, with the strictest answer.
    #[test]
    fn nothing_that_is_selected_is_missed(
        entries in prop::collection::vec((prop::collection::vec(select(vec!["a", "b", "ab"]), 1..4), 0_u8..4), 1..8),
        pattern in prop::collection::vec(part(), 1..4),
        backend in select(EACH.to_vec()),
    ) {
        let scene = Scene::new();
        for (names, kind) in &entries {
            let path = scene.path(&format!("<>/work/app/{}", names.join("/")));
            // Whatever does not fit what is there already is left out.
            let _made = match kind {
                0 => std::fs::create_dir_all(path),
                1 => std::fs::create_dir_all(path.parent().unwrap())
                    .and_then(|()| std::os::unix::fs::symlink(scene.path("<>/work/secret"), path)),
                _ => std::fs::create_dir_all(path.parent().unwrap()).and_then(|()| std::fs::write(path, "")),
            };
        }
        let resolver = resolver(&scene, backend, &["<>/work/app/a/b"]);
        let text = pattern.join("/");
        let answer = reach(&scene, &resolver, &Dialect::AGENT, Operation::Read, &text);
        let mut found = Vec::new();
        paths(&scene.path("<>/work/app"), "", 3, &mut found);
        for path in found.iter().filter(|path| usual_path(&pattern, &path.split('/').collect::<Vec<_>>())) {
            let request = Request {
                text: path.as_bytes(),
                dialect: &Dialect::PLAIN,
                operation: Operation::Read,
                cwd: &scene.path("<>/work/app"),
            };
            match (resolver.resolve(&request), &answer) {
                (_, Err(kind)) => prop_assert_eq!(*kind, ErrorKind::Protected, "{}", text),
                (Err(error), Ok(_)) => prop_assert_ne!(error.kind(), ErrorKind::Protected, "{} {}", text, path),
                (Ok(target), Ok(reach)) => {
                    prop_assert!(target.standing() != Standing::Outside || reach.outside().is_some(), "{text} {path}");
                    prop_assert!(reach.selected() > 0);
                }
            }
        }
    }
}

#[rstest]
#[case("d/.git/*", Err(ErrorKind::Protected))]
#[case("?/.git/x", Err(ErrorKind::Protected))]
#[case("d/.[g]it/x", Err(ErrorKind::Protected))]
#[case("d/*", Ok("1 inside"))]
#[case("o/.git/*", Ok("1 inside"))]
#[case("lk/*", Ok("1 inside"))]
#[case("lk/.*", Err(ErrorKind::Protected))]
#[case("l?/.env", Err(ErrorKind::Protected))]
fn a_zone_keeps_its_name_where_a_link_took_a_place_on_its_way(
    #[case] text: &str,
    #[case] expected: Result<&str, ErrorKind>,
) {
    for backend in EACH {
        let scene = Scene::new();
        for entry in ["d/.git/y", "o/.git/x", "o/a", "o/.env", "lk -> src"] {
            scene.add(&format!("<>/work/app/{entry}"));
        }
        let resolver = resolver(&scene, backend, &["<>/work/app/d/.git", "<>/work/app/lk/.env"]);
        for step in [
            "rename <>/work/app/d <>/work/app/e",
            "link <>/work/app/d <>/work/app/o",
            "remove <>/work/app/lk",
            "link <>/work/app/lk <>/work/app/o",
        ] {
            scene.change(step);
        }
        let answer = reach(&scene, &resolver, &Dialect::SHELL_WORD, Operation::Read, text);
        let said = answer
            .as_ref()
            .map(|_| said(&scene, &answer))
            .map_err(|kind| *kind);
        assert_eq!(
            said.as_deref().map_err(|kind| *kind),
            expected,
            "{backend:?} {text}"
        );
    }
}
