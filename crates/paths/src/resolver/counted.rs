//! What a decision costs, counted in calls of the kernel that open or look at something: a clock would tell about the
//! machine.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

use std::cell::Cell;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::rc::Rc;

use super::{Backend, Listings, Request, Resolver};
use crate::target::during;
use crate::{Ambient, Dialect, ErrorKind, Operation, Zone, ZoneKind, Zones};

struct Tree {
    _dir: tempfile::TempDir,
    root: PathBuf,
    resolver: Resolver,
}

impl Tree {
    fn new(depth: usize, backend: Backend) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(root.join(folder(depth)).join("secret")).unwrap();
        for file in ["file", "secret/file"] {
            std::fs::write(root.join(folder(depth)).join(file), "").unwrap();
        }
        let zone = Zone {
            id: "secret".to_owned(),
            kind: ZoneKind::DenyRead,
            path: root.join(folder(depth)).join("secret"),
        };
        let zones = Zones::builder().root(&root).zone(zone);
        let zones = zones.open(&Ambient::empty()).unwrap();
        let resolver = Resolver::with_backend(zones, Ambient::empty(), backend);
        let tree = Self {
            _dir: dir,
            root,
            resolver,
        };
        // Afterwards moves are watched for, and nothing is looked at for them.
        for _ in 0..20 {
            tree.ask(".", Operation::List);
        }
        tree
    }

    fn ask(&self, text: &str, operation: Operation) -> (usize, Option<ErrorKind>) {
        let calls = Rc::new(Cell::new(0));
        let counter = Rc::clone(&calls);
        let count = move || counter.set(counter.get() + 1);
        let request = Request {
            text: text.as_bytes(),
            dialect: &Dialect::PLAIN,
            operation,
            cwd: &self.root,
        };
        let answer = during(count, || self.resolver.resolve(&request));
        (calls.get(), answer.err().map(|error| error.kind()))
    }

    /// Links from the root, each to the one before, the first to the file. The name of the last.
    fn chain(&self, depth: usize, links: usize) -> String {
        self.links(format!("{}/file", folder(depth)), 0..links)
    }

    fn links(&self, mut to: String, links: Range<usize>) -> String {
        for link in links {
            let name = format!("link{link}");
            symlink(&to, self.root.join(&name)).unwrap();
            to = name;
        }
        to
    }
}

fn folder(depth: usize) -> String {
    vec!["folder"; depth - 1].join("/")
}

#[test]
fn the_plain_case_costs_the_same_at_every_depth() {
    for (text, operation, calls, refused) in [
        ("file", Operation::Read, 2, None),
        ("file", Operation::Write, 3, None),
        ("missing", Operation::Write, 2, None),
        ("secret/file", Operation::Read, 2, Some(ErrorKind::Protected)),
        ("secret/missing", Operation::Write, 2, Some(ErrorKind::Protected)),
    ] {
        for depth in [5, 10, 20, 40] {
            let tree = Tree::new(depth, Backend::Kernel);
            let text = format!("{}/{text}", folder(depth));
            assert_eq!(
                tree.ask(&text, operation),
                (calls, refused),
                "{text} {operation:?}"
            );
        }
    }
}

#[test]
fn a_link_costs_a_few_calls_and_few_more_where_it_is_deep() {
    let calls = |depth| {
        let tree = Tree::new(depth, Backend::Kernel);
        let first = tree.chain(depth, 1);
        let (at_root, none) = tree.ask(&first, Operation::Read);
        assert_eq!(none, None);
        symlink("secret/../file", tree.root.join(folder(depth)).join("deep")).unwrap();
        symlink(folder(depth), tree.root.join("way")).unwrap();
        let (on_the_way, none) = tree.ask("way/file", Operation::Read);
        assert_eq!(none, None);
        (at_root, on_the_way)
    };
    assert_eq!(calls(5), calls(40));
    assert!(calls(5).0 <= 5 && calls(5).1 <= 8, "{:?}", calls(5));
    // Wherever it stands in a long text, it is found by halves.
    let worst = |depth: usize| {
        let tree = Tree::new(depth, Backend::Kernel);
        let mut most = 0;
        for above in 1..depth - 2 {
            let (above, below) = (folder(above + 1), folder(depth - above - 1));
            symlink("folder", tree.root.join(&above).join("link")).unwrap();
            let text = format!("{above}/link/{below}/file");
            let (calls, none) = tree.ask(&text, Operation::Read);
            assert_eq!(none, None, "{text}");
            most = most.max(calls);
        }
        most
    };
    assert!(worst(40) <= worst(10) + 3, "{} {}", worst(10), worst(40));
}

#[test]
fn the_walk_costs_the_same_for_each_name() {
    let calls = |depth: usize| {
        let tree = Tree::new(depth, Backend::Walk);
        tree.ask(&format!("{}/file", folder(depth)), Operation::Read).0
    };
    // Each is opened and looked at. What is above the root is not, as nothing there has moved.
    for depth in [5, 10, 20, 40] {
        assert_eq!(calls(depth), 2 * depth);
    }
}

#[test]
fn without_openat2_each_name_costs_one_call_and_its_close() {
    for depth in [5, 10, 20, 40] {
        let tree = Tree::new(depth, Backend::Names);
        let below = tree.ask(&format!("{}/file", folder(depth)), Operation::Read);
        assert_eq!(below, (depth + 1, None));
    }
}

#[test]
fn without_openat2_a_link_does_not_begin_the_way_anew() {
    for depth in [5, 10, 20, 40] {
        let tree = Tree::new(depth, Backend::Names);
        let half = depth / 2;
        let link = tree.root.join(folder(half)).join("link");
        symlink("folder", &link).unwrap();
        let text = format!("{}/link/{}/file", folder(half), folder(depth - half));
        let (calls, refused) = tree.ask(&text, Operation::Read);
        assert_eq!(refused, None, "{text}");
        // Each name, the one that is a link twice, and a look at the link.
        assert_eq!(calls, depth + 4, "{text}");
    }
}

#[test]
fn a_link_in_a_chain_costs_two_calls_and_the_reading() {
    let tree = Tree::new(5, Backend::Kernel);
    let (short, long) = (tree.chain(5, 10), tree.links("link9".to_owned(), 10..20));
    let calls = |text: &str| tree.ask(text, Operation::Read).0;
    assert_eq!(calls(&long) - calls(&short), 2 * 10);
}

#[test]
fn what_can_be_made_long_is_bounded() {
    for backend in Backend::ALL {
        let tree = Tree::new(5, backend);
        let most = tree.chain(5, 40);
        let (one, _) = tree.ask("link0", Operation::Read);
        let (calls, refused) = tree.ask(&most, Operation::Read);
        assert_eq!(refused, None);
        assert!(calls <= 40 * one, "{calls} for 40 links, {one} for one");
        symlink(&most, tree.root.join("more")).unwrap();
        let (more, refused) = tree.ask("more", Operation::Read);
        assert_eq!(refused, Some(ErrorKind::Loop));
        assert!(more <= 41 * one + 200, "{more}");
        // No tool can open that: it is longer than the kernel takes.
        let long = tree.ask(&"a/".repeat(4000), Operation::Write);
        assert_eq!(long, (0, Some(ErrorKind::TooLong)));
        let (calls, refused) = tree.ask(&"a/".repeat(2000), Operation::MakeDir);
        assert_eq!(refused, None);
        assert!(calls <= 40, "{calls}");
        let (calls, refused) = tree.ask(&"folder/../".repeat(400), Operation::List);
        assert_eq!(refused, None);
        assert!(calls <= 400 * 3 + 10, "{calls}");
        // Links that lead to long texts with more links.
        let knot = format!("{}/knot", vec!["folder/.."; 400].join("/"));
        symlink(&knot, tree.root.join("knot")).unwrap();
        let (calls, refused) = tree.ask("knot", Operation::Read);
        assert!(
            matches!(refused, Some(ErrorKind::Loop | ErrorKind::Budget)),
            "{refused:?}"
        );
        assert!(calls <= 3 * 8192, "{calls}");
    }
}

/// What a pattern costs, and whether all that it may select was looked at.
fn glob(tree: &Tree, pattern: &str, listings: &Listings) -> (usize, bool) {
    let calls = Rc::new(Cell::new(0));
    let counter = Rc::clone(&calls);
    let count = move || counter.set(counter.get() + 1);
    let request = Request {
        text: pattern.as_bytes(),
        dialect: &Dialect::SHELL_WORD,
        operation: Operation::Read,
        cwd: &tree.root,
    };
    let reach = during(count, || tree.resolver.glob_with(&request, listings)).unwrap();
    (calls.get(), reach.is_complete())
}

fn with_files(count: usize) -> Tree {
    let tree = Tree::new(5, Backend::Kernel);
    for number in 0..count {
        std::fs::write(tree.root.join(format!("file{number}")), "").unwrap();
    }
    std::fs::write(tree.root.join("one"), "").unwrap();
    tree
}

#[test]
fn a_pattern_looks_at_nothing_that_it_does_not_select() {
    let calls = |count| glob(&with_files(count), "o?e", &Listings::default());
    assert_eq!(calls(300), calls(3));
    assert!(calls(3).0 <= 16, "{:?}", calls(3));
}

#[test]
fn no_directory_is_listed_twice_for_one_decision() {
    let tree = with_files(3);
    let listings = Listings::default();
    let (first, _) = glob(&tree, "o?e", &listings);
    let (again, complete) = glob(&tree, "*e", &listings);
    assert!(complete && again < first, "{first} {again}");
}

#[test]
fn all_patterns_of_one_decision_have_one_bound() {
    let tree = with_files(300);
    let listings = Listings::default();
    let costs: Vec<_> = (0..100).map(|_| glob(&tree, "f*", &listings)).collect();
    assert!(costs.first().unwrap().1, "{:?}", costs.first());
    let (last, complete) = costs.last().unwrap();
    assert!(!complete && *last <= 16, "{last}");
    let all: usize = costs.iter().map(|(calls, _)| calls).sum();
    assert!(all <= 4 * 16_384 + 100 * 16, "{all}");
}
