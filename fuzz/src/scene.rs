//! A small tree with two roots and an outside, and what must hold of every target in it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use portcullis_paths::{
    Ambient, Backend, Dialect, Error, FileKind, Operation, Request, Resolver, Standing, State, Target, Zone,
    ZoneKind, Zones, ZonesBuilder,
};
use tempfile::TempDir;

/// Every dialect, by the name that configuration files write.
pub const DIALECTS: [&str; 7] = [
    "plain",
    "agent",
    "pi",
    "pi-read",
    "claude-code",
    "node",
    "shell-word",
];

/// The zone that must not be read, below the tree.
const SAFE: &str = "one/b/safe";
/// The zones that must not be written: nothing of the first is there, and the second is named by way of a link.
const LATER: &str = "one/later/x";
const BY_WAY: &str = "one/way/x";

/// A tree of its own and a resolver over it.
///
/// ```text
/// T/home/            the home directory, outside
/// T/one/a/b/file     the first root
/// T/one/a/c -> ../b  and links inside, across, out and in circles
/// T/one/inner/       the second root, inside the first
/// T/one/b/safe/file  must not be read
/// T/one/twin         the same file by another name
/// T/one/later/x      must not be made, so nothing may be put in the place of `later` that could bring it
/// T/one/way -> b     `way/x` must not be written, so the link has to stay
/// T/one/pipe         a socket
/// T/one/proc         a link to the process's own directory
/// T/one2/file        outside, with a name that begins like the first root's
/// ```
pub struct Scene {
    tree: TempDir,
    base: PathBuf,
    roots: [PathBuf; 2],
    /// Device and number of the file that must not be read.
    secret: (u64, u64),
    /// The kernel asked in one call where it can answer, and name by name: both decide the same.
    resolvers: [Resolver; 3],
}

impl Scene {
    /// Builds the tree and opens the roots.
    #[must_use]
    pub fn build() -> Self {
        let tree = tempfile::tempdir().expect("a temporary directory");
        let base = tree.path().canonicalize().expect("its canonical place");
        for folder in ["home", "one/a/b", "one/b/safe", "one/inner/a", "one2"] {
            fs::create_dir_all(base.join(folder)).expect("a folder");
        }
        for file in [
            "home/file",
            "one/a/b/file",
            "one/b/a",
            "one/b/safe/file",
            "one/b/café",
            "one/inner/a/file",
            "one2/file",
        ] {
            fs::write(base.join(file), file).expect("a file");
        }
        for (link, text) in [
            ("one/a/c", "../b"),
            ("one/out", "../one2"),
            ("one/in", "inner/a"),
            ("one/inner/up", "../a/b"),
            ("one/loop", "loop"),
            ("one/a/new", "../b/missing"),
            ("one/a/key", "../b/safe/file"),
            ("one2/back", "../one/a"),
            ("one/way", "b"),
            ("one/proc", "/proc/self/cwd"),
        ] {
            symlink(text, base.join(link)).expect("a link");
        }
        symlink(base.join("one"), base.join("one/absolute")).expect("a link");
        let secret = base.join(SAFE).join("file");
        fs::hard_link(&secret, base.join("one/twin")).expect("another name");
        let secret = secret.metadata().expect("a file");
        drop(UnixListener::bind(base.join("one/pipe")).expect("a socket"));
        let roots = [base.join("one"), base.join("one/inner")];
        let resolvers = Backend::ALL.map(|backend| {
            let ambient = Ambient::empty().with_home(base.join("home"));
            let safe = Zone {
                id: "safe".to_owned(),
                kind: ZoneKind::DenyRead,
                path: base.join(SAFE),
            };
            let zones = [LATER, BY_WAY].map(|place| Zone {
                id: place.to_owned(),
                kind: ZoneKind::DenyWrite,
                path: base.join(place),
            });
            let zones = zones
                .into_iter()
                .fold(Zones::builder().zone(safe), ZonesBuilder::zone);
            let zones = roots.iter().fold(zones, |zones, root| zones.root(root));
            let zones = zones.open(&ambient).expect("both roots");
            Resolver::with_backend(zones, ambient, backend)
        });
        Self {
            tree,
            base,
            roots,
            secret: (secret.dev(), secret.ino()),
            resolvers,
        }
    }

    /// Where the tree stands; `{T}` in a plan.
    #[must_use]
    pub fn base(&self) -> &Path {
        debug_assert!(self.tree.path().is_absolute());
        &self.base
    }

    /// Resolves a text from a working directory in the tree, and checks whatever comes back.
    pub fn check(&self, text: &[u8], dialect: &str, operation: Operation, cwd: &str) {
        let cwd = self.base.join(cwd);
        let dialect = Dialect::by_name(dialect).expect("a dialect of that name");
        let request = Request {
            text,
            dialect,
            operation,
            cwd: &cwd,
        };
        let [kernel, names, walk] = self
            .resolvers
            .each_ref()
            .map(|resolver| resolver.resolve(&request));
        for plain in [&kernel, &names] {
            assert_eq!(told(plain), told(&walk), "the ways differ");
        }
        let Ok(target) = kernel else {
            return;
        };
        let place = PathBuf::from(OsStr::from_bytes(target.place().as_bytes()));
        self.stands_where_it_says(&target, &place, operation, text);
        assert!(
            !place.starts_with(self.base.join(SAFE)),
            "{place:?} must not be read"
        );
        let found = target
            .identity()
            .map(|identity| (identity.device, identity.inode));
        assert_ne!(
            found,
            Some(self.secret),
            "{place:?} is another name of what must not be read"
        );
        self.leaves_what_must_not_be_written(&place, operation);
        let special = target.state() == State::Existing(FileKind::Special);
        assert!(!special || !follows(operation), "{place:?} would be opened");
        is_canonical(&target, &place);
        if dialect.name() == "plain" {
            is_what_the_kernel_opens(&target, &cwd.join(OsStr::from_bytes(text)), operation);
        }
        target.verify().expect("nothing changed in between");
    }

    /// In whatever case it is spelled. What takes a name away, or brings one, leaves the names above as they are, too.
    fn leaves_what_must_not_be_written(&self, place: &Path, operation: Operation) {
        let writes = acts_on_name(operation)
            || matches!(
                operation,
                Operation::Write | Operation::CreateNew | Operation::MakeDir | Operation::SetMeta
            );
        let Some(below) = place.strip_prefix(&self.base).ok().filter(|_| writes) else {
            return;
        };
        let below = PathBuf::from(below.as_os_str().to_ascii_lowercase());
        for protected in [LATER, BY_WAY, "one/b/x"] {
            assert!(!below.starts_with(protected), "{place:?} must not be written");
        }
        let brings = acts_on_name(operation) && operation != Operation::HardLinkFrom;
        for above in ["one/later", "one/way"] {
            assert!(
                !brings || below != Path::new(above),
                "{place:?} would bring or take what must not be"
            );
        }
    }

    /// Inside exactly the innermost root whose place the target's place begins with, component by component. What acts
    /// on a name stands where the name stands: removing a root is done outside of it.
    fn stands_where_it_says(&self, target: &Target, place: &Path, operation: Operation, text: &[u8]) {
        let name = acts_on_name(operation);
        let stands = if name {
            place.parent().unwrap_or(place)
        } else {
            place
        };
        let within = |root: &&PathBuf| stands.starts_with(root);
        let innermost = self
            .roots
            .iter()
            .filter(within)
            .max_by_key(|root| root.components().count());
        let expected = innermost.and_then(|root| self.roots.iter().position(|other| other == root));
        let said = match target.standing() {
            Standing::Inside { root } => Some(root),
            _ => None,
        };
        // Where a trailing slash or dot makes a kept link lead on, both ends are judged, and the stricter counts.
        let leads_on = [&b"/"[..], b"/.", b"/.."].iter().any(|end| text.ends_with(end));
        if leads_on && !follows(operation) && said.is_none() {
            return;
        }
        assert_eq!(said, expected, "{place:?}");
    }
}

/// Everything that a caller may decide on.
fn told(answer: &Result<Target, Error>) -> String {
    match answer {
        Ok(target) => format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?}",
            target.place(),
            target.standing(),
            target.state(),
            target.identity(),
            target.concerns(),
            target.links(),
            target.touches(),
        ),
        Err(error) => format!("{:?} {:?} {error}", error.kind(), error.rule()),
    }
}

fn acts_on_name(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Delete
            | Operation::DeleteTree
            | Operation::MoveFrom
            | Operation::MoveTo
            | Operation::LinkTo
            | Operation::HardLinkFrom
    )
}

/// A canonical place leads to itself: of the object, of a link's parent, of the nearest existing parent.
fn is_canonical(target: &Target, place: &Path) {
    let existing = match target.state() {
        State::Link => place.parent(),
        State::Missing { names } => place.ancestors().nth(names),
        _ => Some(place),
    };
    let existing = existing.expect("a place as deep as its names");
    let canonical = existing.canonicalize().expect("a place that stands");
    assert_eq!(canonical, existing, "not canonical");
    if let State::Missing { .. } = target.state() {
        let next = place
            .strip_prefix(existing)
            .ok()
            .and_then(|rest| rest.components().next());
        let next = existing.join(next.expect("at least one missing name"));
        assert!(next.symlink_metadata().is_err(), "{next:?} stands");
    }
}

/// Where no sugar is decoded, the kernel opens the very object that was judged.
fn is_what_the_kernel_opens(target: &Target, path: &Path, operation: Operation) {
    if !follows(operation) {
        return;
    }
    let judged = target
        .identity()
        .map(|identity| (identity.device, identity.inode));
    let opened = path.metadata().ok().map(|facts| (facts.dev(), facts.ino()));
    assert_eq!(judged, opened, "{path:?}");
}

fn follows(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Read
            | Operation::List
            | Operation::Search
            | Operation::Stat
            | Operation::WorkingDir
            | Operation::CopyFrom
            | Operation::Write
            | Operation::MakeDir
            | Operation::SetMeta
    )
}
