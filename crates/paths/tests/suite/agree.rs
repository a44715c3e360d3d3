//! Both ways of asking the kernel give the same answer to the last word: place, standing, concerns, links, zones touched,
//! and of a refusal the kind, the rule and the place. Asked twice as often as it takes until moves are watched for.

use portcullis_paths::{
    Ambient, Backend, Dialect, Operation, Request, Resolver, Target, Zone, ZoneKind, Zones,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::scene::Scene;

pub(crate) const KINDS: [ZoneKind; 6] = [
    ZoneKind::DenyRead,
    ZoneKind::DenyRead,
    ZoneKind::DenyWrite,
    ZoneKind::ConfirmRead,
    ZoneKind::ConfirmWrite,
    ZoneKind::Named,
];

/// Where entries, zones and texts begin: in the root, beside it, above it, in a second root.
const STARTS: [&str; 5] = ["<>/work/app", "<>/work/app/qa", "<>/work", "<>/work/app2", "<>"];

/// Few names, so that entries, zones and texts meet.
fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["qa", "qa", "qa", "qb", "qb", "QA"])
}

pub(crate) fn place() -> impl Strategy<Value = String> {
    let names = prop::collection::vec(name(), 1..3);
    (select(STARTS.to_vec()), names).prop_map(|(start, names)| format!("{start}/{}", names.join("/")))
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        8 => name(),
        3 => Just(".."),
        1 => Just("."),
        1 => select(vec!["app", "app2", "work"]),
    ];
    let start = prop_oneof![3 => Just(""), 2 => select(STARTS.to_vec())];
    (
        start,
        prop::collection::vec(part, 1..6),
        prop::bool::weighted(0.15),
    )
        .prop_map(|(start, parts, slash)| {
            let parts = parts.join("/");
            let text = if start.is_empty() {
                parts
            } else {
                format!("{start}/{parts}")
            };
            if slash { format!("{text}/") } else { text }
        })
}

pub(crate) fn entry() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => place().prop_map(|place| format!("{place}/")),
        2 => place(),
        4 => (place(), text()).prop_map(|(place, text)| format!("{place} -> {text}")),
    ]
}

/// Adds the entry, unless something is in the way or its place lies behind a link that leads out of the scene.
pub(crate) fn grow(scene: &Scene, entry: &str) {
    let (place, link) = entry.split_once(" -> ").unwrap_or((entry, ""));
    let path = scene.path(place);
    let mut there = path
        .ancestors()
        .skip(1)
        .filter_map(|dir| std::fs::canonicalize(dir).ok());
    if there.next().is_some_and(|dir| !dir.starts_with(scene.path("<>"))) {
        return;
    }
    // A name that is taken, or a file on the way, is a tree without this entry.
    let _added = match (place.ends_with('/'), link) {
        (true, _) => std::fs::create_dir_all(&path),
        (false, "") => std::fs::create_dir_all(path.parent().unwrap())
            .and_then(|()| std::fs::File::create_new(&path).map(drop)),
        (false, link) => std::fs::create_dir_all(path.parent().unwrap())
            .and_then(|()| std::os::unix::fs::symlink(scene.path(link), &path)),
    };
}

/// Everything that a target or a refusal tells.
pub(crate) fn told(answer: Result<Target, portcullis_paths::Error>) -> String {
    match answer {
        Ok(target) => {
            format!(
                "{} {:?} {:?} {:?} {:?} {:?} {:?}",
                target.place(),
                target.standing(),
                target.state(),
                target.identity(),
                target.concerns(),
                target.links(),
                target.touches()
            )
        }
        Err(error) => format!(
            "{:?} {:?} {:?} {error}",
            error.kind(),
            error.rule(),
            error.place()
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn both_ways_tell_the_same(
        entries in prop::collection::vec(entry(), 3..14),
        zones in prop::collection::vec((select(KINDS.to_vec()), place()), 0..4),
        second in any::<bool>(),
        asked in prop::collection::vec((text(), select(Operation::ALL.to_vec())), 30),
    ) {
        let scene = Scene::new();
        for entry in &entries {
            grow(&scene, entry);
        }
        let resolver = |backend| {
            let mut builder = Zones::builder().root(scene.path("<>/work/app"));
            if second {
                builder = builder.root(scene.path("<>/work/app2"));
            }
            for (kind, place) in &zones {
                let (id, path) = (format!("{kind:?} {place}"), scene.path(place));
                builder = builder.zone(Zone { id, kind: *kind, path });
            }
            builder.open(&Ambient::empty()).ok().map(|zones| Resolver::with_backend(zones, Ambient::empty(), backend))
        };
        let [Some(kernel), Some(names), Some(walk)] = Backend::ALL.map(resolver) else {
            return Ok(());
        };
        let cwd = scene.path("<>/work/app");
        for (text, operation) in &asked {
            let text = scene.text(text);
            let ask = |resolver: &Resolver| {
                let answer = resolver.resolve(&Request { text: &text, dialect: &Dialect::PLAIN, operation: *operation, cwd: &cwd });
                if let Ok(target) = &answer {
                    target.verify().unwrap();
                }
                told(answer)
            };
            let text = String::from_utf8_lossy(&text);
            let walked = ask(&walk);
            for plain in [ask(&kernel), ask(&names)] {
                prop_assert_eq!(&plain, &walked, "{:?} of {} among {:?}", operation, text, entries);
            }
        }
    }
}
