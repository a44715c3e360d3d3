//! Paths alone: the ways that a resolver can go, beside what the kernel and others do with the same path.
#![expect(clippy::disallowed_methods, reason = "benches build their own trees")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use portcullis_paths::{
    Ambient, Backend, Dialect, Error, Operation, Request, Resolver, Target, Zone, ZoneKind, Zones,
};
use tempfile::TempDir;

use crate::Floor;

/// A tree with one file so many components below its root, and resolvers over it.
#[derive(Debug)]
pub struct Ways {
    tree: TempDir,
    root: PathBuf,
    folder: String,
    kernel: Resolver,
    names: Resolver,
    walk: Resolver,
}

impl Ways {
    /// Builds the tree: the file has `depth` components below the root. One zone is beside the file and
    /// one beside the root.
    #[must_use]
    pub fn build(depth: usize) -> Self {
        let tree = tempfile::tempdir().expect("a temporary directory");
        let top = tree.path().canonicalize().expect("its canonical place");
        let root = top.join("root");
        let folder = vec!["folder"; depth.saturating_sub(1)].join("/");
        let secret = root.join(&folder).join("secret");
        for folder in [root.join(&folder), secret.clone(), top.join("keys")] {
            fs::create_dir_all(folder).expect("a folder");
        }
        for file in [root.join(&folder).join("file"), secret.join("file")] {
            fs::write(file, "text").expect("a file");
        }
        let resolver = |backend| {
            let mut zones = Zones::builder().root(&root);
            for place in [secret.clone(), top.join("keys")] {
                zones = zones.zone(Zone {
                    id: "secret".to_owned(),
                    kind: ZoneKind::DenyRead,
                    path: place,
                });
            }
            let zones = zones.open(&Ambient::empty()).expect("the root opens");
            Resolver::with_backend(zones, Ambient::empty(), backend)
        };
        Self {
            kernel: resolver(Backend::Kernel),
            names: resolver(Backend::Names),
            walk: resolver(Backend::Walk),
            folder,
            root,
            tree,
        }
    }

    /// A chain of so many links at the root, the last of which leads to the file. Says the first one's name.
    #[must_use]
    pub fn chain(&self, links: usize) -> String {
        debug_assert!(self.tree.path().is_absolute());
        let mut to = self.file();
        for link in 0..links {
            let name = format!("link{link}");
            symlink(&to, self.root.join(&name)).expect("a link");
            to = name;
        }
        to
    }

    /// The file, below the root.
    #[must_use]
    pub fn file(&self) -> String {
        self.below("file")
    }

    /// A name that is free in the file's directory.
    #[must_use]
    pub fn missing(&self) -> String {
        self.below("missing")
    }

    /// A file in a place that a zone protects, one name deeper.
    #[must_use]
    pub fn protected(&self) -> String {
        self.below("secret/file")
    }

    /// The file, through a link that stands for the directory in the middle of the way.
    #[must_use]
    pub fn through_the_middle(&self) -> String {
        let names: Vec<&str> = self.folder.split('/').collect();
        let (above, below) = names.split_at(names.len() / 2);
        symlink("folder", self.root.join(above.join("/")).join("middle")).expect("a link");
        let below = below.iter().skip(1).copied();
        let way: Vec<&str> = above.iter().copied().chain(["middle"]).chain(below).collect();
        format!("{}/file", way.join("/"))
    }

    /// What the kernel and others do with the file.
    #[must_use]
    pub fn floor(&self) -> Floor {
        Floor::open(&self.root, &self.file())
    }

    /// The kernel is asked in one call where that can answer.
    ///
    /// # Errors
    /// As the resolver's.
    pub fn resolve(&self, path: &str, operation: Operation) -> Result<Target, Error> {
        ask(&self.kernel, &self.root, path, operation)
    }

    /// One name after the other, as where `openat2` is refused.
    ///
    /// # Errors
    /// As the resolver's.
    pub fn names(&self, path: &str, operation: Operation) -> Result<Target, Error> {
        ask(&self.names, &self.root, path, operation)
    }

    /// Walked, with every directory on the way held and looked at, as where names cannot tell.
    ///
    /// # Errors
    /// As the resolver's.
    pub fn walk(&self, path: &str, operation: Operation) -> Result<Target, Error> {
        ask(&self.walk, &self.root, path, operation)
    }

    fn below(&self, name: &str) -> String {
        let path = Path::new(&self.folder).join(name);
        path.to_str().expect("plain names").to_owned()
    }
}

fn ask(resolver: &Resolver, root: &Path, path: &str, operation: Operation) -> Result<Target, Error> {
    resolver.resolve(&Request {
        text: path.as_bytes(),
        dialect: &Dialect::AGENT,
        operation,
        cwd: root,
    })
}
