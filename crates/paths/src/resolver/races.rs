//! Somebody moves a directory while one decision is made: what was wrong at every moment is not allowed at any.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::path::Path;

use rstest::rstest;

use super::{Backend, Request, Resolver};
use crate::target::during;
use crate::{Ambient, Dialect, Error, ErrorKind, Operation, Target, Zone, ZoneKind, Zones};

fn zone(path: &Path) -> Zone {
    Zone {
        id: "secret".to_owned(),
        kind: ZoneKind::DenyRead,
        path: path.to_owned(),
    }
}

fn ask(resolver: &Resolver, cwd: &Path, text: &str) -> Result<Target, Error> {
    resolver.resolve(&Request {
        text: text.as_bytes(),
        dialect: &Dialect::PLAIN,
        operation: Operation::Read,
        cwd,
    })
}

#[rstest]
#[case::in_it("s/key")]
#[case::out_of_it_again("s/deep/../../a")]
#[case::through_a_link_in_it("s/up")]
fn a_zone_that_is_put_back_meanwhile_was_not_read(
    #[case] text: &str,
    #[values(Backend::Kernel, Backend::Names, Backend::Walk)] backend: Backend,
    // Never watched for, from this question on, and long since.
    #[values(0, 16, 40)] warm: usize,
    #[values(1, 2, 3, 4)] gap: usize,
) {
    let dir = tempfile::tempdir().unwrap();
    let top = std::fs::canonicalize(dir.path()).unwrap();
    let (app, place) = (top.join("app"), top.join("secret"));
    for dir in [&app, &place.join("deep")] {
        std::fs::create_dir_all(dir).unwrap();
    }
    std::fs::write(app.join("a"), "").unwrap();
    std::fs::write(place.join("key"), "").unwrap();
    std::os::unix::fs::symlink("../a", place.join("up")).unwrap();
    let zones = Zones::builder().root(&app).zone(zone(&place));
    let zones = zones.open(&Ambient::empty()).unwrap();
    let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
    for _ in 0..warm {
        ask(&resolver, &app, "a").unwrap();
    }
    let moved = app.join("s");
    std::fs::rename(&place, &moved).unwrap();
    let mut gaps = 0;
    let put_back = {
        let moved = moved.clone();
        move || {
            gaps += 1;
            if gaps == gap {
                std::fs::rename(&moved, &place).unwrap();
            }
        }
    };
    let answer = during(put_back, || ask(&resolver, &app, text));
    if let Ok(target) = answer {
        panic!("{text} leads to {}", target.place());
    }
}

#[rstest]
fn a_zone_that_is_a_link_stays_one_under_another_name(
    #[values(Backend::Kernel, Backend::Names, Backend::Walk)] backend: Backend,
    #[values(0, 40)] warm: usize,
) {
    let dir = tempfile::tempdir().unwrap();
    let app = std::fs::canonicalize(dir.path()).unwrap();
    for dir in ["data", "sub/data"] {
        std::fs::create_dir_all(app.join(dir)).unwrap();
        std::fs::write(app.join(dir).join("a"), "").unwrap();
    }
    std::os::unix::fs::symlink("data", app.join("link")).unwrap();
    let zones = Zones::builder().root(&app).zone(zone(&app.join("link")));
    let zones = zones.open(&Ambient::empty()).unwrap();
    let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
    for _ in 0..=warm {
        ask(&resolver, &app, "sub/data/a").unwrap();
    }
    std::fs::rename(app.join("link"), app.join("sub/other")).unwrap();
    let answer = ask(&resolver, &app, "sub/other/a");
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Protected);
}
