//! The fast path allocates nothing but what it returns: the canonical place, and the name where one is held.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use allocation_counter::measure;
use portcullis_paths::{Ambient, Dialect, Operation, Request, Resolver, Zone, ZoneKind, Zones};

/// A target of a read has one text, its place. A name that is held is a second one, and a free name stands in a list.
#[test]
fn the_fast_path_allocates_its_answer_alone() {
    let tree = tempfile::tempdir().unwrap();
    let top = std::fs::canonicalize(tree.path()).unwrap();
    let root = top.join("root");
    let deep = vec!["a-folder-with-a-long-name"; 40].join("/");
    for folder in ["a/b/c/d", deep.as_str(), "secret"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        std::fs::write(root.join(folder).join("file"), "").unwrap();
    }
    let mut zones = Zones::builder().root(&root);
    for place in [root.join("secret"), top.join("keys")] {
        zones = zones.zone(Zone {
            id: "keys".to_owned(),
            kind: ZoneKind::DenyRead,
            path: place,
        });
    }
    let resolver = Resolver::new(zones.open(&Ambient::empty()).unwrap(), Ambient::empty());
    let resolve = |path: &str, operation| {
        resolver
            .resolve(&Request {
                text: path.as_bytes(),
                dialect: &Dialect::AGENT,
                operation,
                cwd: &root,
            })
            .unwrap()
    };
    let long = format!("{deep}/file");
    for (path, operation, answer) in [
        ("a/b/c/d/file", Operation::Read, 1),
        ("./a//b/c/d/file", Operation::Read, 1),
        (long.as_str(), Operation::Read, 1),
        ("a/b", Operation::List, 1),
        ("a/b/c/d/file", Operation::Write, 2),
        ("a/b/c/d/new", Operation::Write, 3),
    ] {
        // The first decisions set up what the later ones share.
        (0..40).for_each(|_| drop(resolve(path, operation)));
        let counted = measure(|| drop(resolve(path, operation)));
        assert_eq!(counted.count_total, answer, "{path} {operation:?}");
        assert_eq!(counted.count_current, 0, "{path} {operation:?}");
    }
    // The count counts: a link is one text more that is read, and one that is told.
    std::os::unix::fs::symlink("a", root.join("link")).unwrap();
    let linked = || drop(resolve("link/b/c/d/file", Operation::Read));
    assert!(measure(linked).count_total > 3);
}
