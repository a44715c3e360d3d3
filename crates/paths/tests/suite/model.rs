//! A resolved target is inside exactly the roots that an independent slow model says, and at the place it says.

mod fence;
mod position;
mod world;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fence::Fence;
use portcullis_paths::{
    Ambient, Backend, Concern, Dialect, ErrorKind, Model, Operation, Request, Resolver, Standing, State,
    Zone, ZoneKind, Zones,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use world::{Object, Reading, Rules, Says, World};

/// A path text before the tree is known: absolute ones begin at one of its directories.
#[derive(Debug, Clone)]
struct Draft {
    from: Option<Index>,
    parts: Vec<&'static str>,
    slash: bool,
}

impl Draft {
    fn text(&self, world: &World) -> String {
        let mut text = self.parts.join("/");
        if let Some(from) = self.from {
            text = format!("{}/{text}", world.dirs[from.index(world.dirs.len())].1);
        }
        if self.slash {
            text.push('/');
        }
        if text.is_empty() { ".".to_owned() } else { text }
    }
}

#[derive(Debug, Clone)]
enum Entry {
    Dir,
    File,
    Fifo,
    /// Another name of some file.
    Twin(Index),
    Link(Draft),
}

fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["qa", "qb", "qc", "QA"])
}

fn draft() -> impl Strategy<Value = Draft> {
    let part = prop_oneof![
        6 => name(),
        3 => Just(".."),
        1 => Just("."),
        1 => Just(""),
    ];
    let from = proptest::option::weighted(0.3, any::<Index>());
    (from, prop::collection::vec(part, 1..6), prop::bool::weighted(0.2)).prop_map(|(from, parts, slash)| {
        // A relative text must not begin with an empty part: it would be absolute.
        let parts = if from.is_none() && parts[0].is_empty() {
            vec!["."]
        } else {
            parts
        };
        Draft { from, parts, slash }
    })
}

fn entry() -> impl Strategy<Value = (Index, &'static str, Entry)> {
    let kind = prop_oneof![
        5 => Just(Entry::Dir),
        2 => Just(Entry::File),
        1 => Just(Entry::Fifo),
        2 => any::<Index>().prop_map(Entry::Twin),
        4 => draft().prop_map(Entry::Link),
    ];
    (any::<Index>(), name(), kind)
}

fn fence() -> impl Strategy<Value = ZoneKind> {
    select(vec![ZoneKind::DenyRead, ZoneKind::DenyWrite])
}

fn readings() -> impl Strategy<Value = Reading> {
    select(vec![Reading::Physical, Reading::Lexical, Reading::Unknown])
}

proptest! {
    #[test]
    fn targets_are_where_the_model_says(
        entries in prop::collection::vec(entry(), 4..16),
        roots in prop::collection::vec(any::<Index>(), 1..3),
        denied in prop::collection::vec((fence(), any::<Index>(), draft()), 0..3),
        asked in prop::collection::vec((draft(), select(Operation::ALL.to_vec()), readings(), any::<Index>()), 12),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let top = std::fs::canonicalize(dir.path()).unwrap();
        let mut world = World::new(top.to_str().unwrap());
        for (parent, name, kind) in &entries {
            let object = match kind {
                Entry::Dir => Object::Dir(BTreeMap::new()),
                Entry::File => Object::File,
                Entry::Fifo => Object::Fifo,
                Entry::Twin(file) => {
                    world.link(file.index(1 << 16), parent.index(world.dirs.len()), name);
                    continue;
                }
                Entry::Link(draft) => Object::Link(draft.text(&world)),
            };
            world.put_in(parent.index(world.dirs.len()), name, object);
        }
        world.build();
        let pick = |index: &Index| world.dirs[index.index(world.dirs.len())].clone();
        let roots: Vec<_> = roots.iter().map(pick).collect();
        let denied = denied.iter().map(|(kind, dir, draft)| {
            let draft = Draft { from: Some(*dir), ..draft.clone() };
            (*kind, draft.text(&world))
        });
        let spelled = |text: &str| Path::new(text).components().collect::<PathBuf>().to_str().unwrap().to_owned();
        let denied: Vec<_> = denied
            .filter_map(|(kind, text)| Some((kind, Fence::new(&world, kind, &spelled(&text))?, text)))
            .collect();
        let (fences, denied): (Vec<_>, Vec<_>) =
            denied.into_iter().map(|(kind, fence, text)| (fence, (kind, text))).unzip();
        let root_ids: Vec<_> = roots.iter().map(|(id, _)| *id).collect();
        for backend in Backend::ALL {
            let mut builder = Zones::builder();
            for (_, place) in &roots {
                builder = builder.root(place);
            }
            for (kind, text) in &denied {
                builder = builder.zone(Zone { id: text.clone(), kind: *kind, path: text.into() });
            }
            let ambient = Ambient::empty();
            let resolver = Resolver::with_backend(builder.open(&ambient).unwrap(), ambient, backend);
            for (draft, operation, reading, cwd) in &asked {
                let (_, cwd) = pick(cwd);
                let text = draft.text(&world);
                let rules = Rules {
                    roots: &root_ids,
                    fences: &fences,
                    cwd: &cwd,
                    operation: *operation,
                };
                let expected = world.says(&rules, *reading, &text);
                let found = ask(&resolver, *operation, *reading, &cwd, &text);
                let is_lost = expected == Says::Lost && matches!(found, Says::Refused | Says::Protected);
                let expected = match expected {
                    Says::Lost if is_lost => found.clone(),
                    expected => expected,
                };
                prop_assert_eq!(
                    found, expected, "{:?} {:?} {:?} of {:?} in {} denied {:?} of {:?}",
                    backend, reading, operation, text, cwd, &denied, &entries
                );
            }
        }
    }
}

fn ask(resolver: &Resolver, operation: Operation, reading: Reading, cwd: &str, text: &str) -> Says {
    let dialect = Dialect::PLAIN.with_model(match reading {
        Reading::Physical => Model::Physical,
        Reading::Lexical => Model::Lexical,
        Reading::Unknown => Model::Unknown,
    });
    let request = Request {
        text: text.as_bytes(),
        dialect: &dialect,
        operation,
        cwd: Path::new(cwd),
    };
    match resolver.resolve(&request) {
        Err(error) if error.kind() == ErrorKind::Protected => Says::Protected,
        Err(_) => Says::Refused,
        Ok(target) => {
            target.verify().unwrap();
            Says::Leads {
                inside: match target.standing() {
                    Standing::Inside { root } => Some(root),
                    Standing::Outside => None,
                    other => panic!("a standing the model does not know: {other:?}"),
                },
                place: String::from_utf8(target.place().as_bytes().to_vec()).unwrap(),
                missing: match target.state() {
                    State::Missing { names } => names,
                    _ => 0,
                },
                link: target.state() == State::Link,
                shared: target
                    .concerns()
                    .iter()
                    .any(|concern| matches!(concern, Concern::HardLinked { .. })),
            }
        }
    }
}
