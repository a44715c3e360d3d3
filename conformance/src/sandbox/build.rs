use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::fixture::{Node, NodeKind, Tree};
use crate::os::disk;
use crate::os::watch::Watch;
use crate::{Error, hash, random};

/// A sandbox on the disk. Dropped, it is removed, unless it is kept.
#[derive(Debug)]
pub(crate) struct Sandbox {
    /// The tree; only `workspace/` in it is announced to the subject.
    pub(crate) root: PathBuf,
    /// Socket, configuration, state, log: nothing here is compared.
    pub(crate) control: PathBuf,
    /// Canary name to token.
    pub(crate) tokens: BTreeMap<String, String>,
    /// Witness name to its place in the tree.
    pub(crate) witnesses: BTreeMap<String, PathBuf>,
    /// What has rights of its own, and may not be looked into.
    locked: Vec<PathBuf>,
    /// Something was mounted in it.
    pub(super) mounted: bool,
    directories: Option<[tempfile::TempDir; 2]>,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.directories.is_none() {
            return;
        }
        if let Err(error) = self.unmount() {
            // Whoever removes what is below a mount removes it where it really is.
            eprintln!("{} is left where it is: {error}", self.root.display());
            self.keep();
            return;
        }
        for place in &self.locked {
            // Gone already is as good as unlocked.
            let _gone = disk::set_mode(place, 0o700);
        }
    }
}

/// Where the parts of the control directory are.
impl Sandbox {
    /// Makes the tree.
    pub(crate) fn build(tree: &Tree) -> Result<Self, Error> {
        let directories = [disk::sandbox()?, disk::sandbox()?];
        let [root, control] = &directories;
        let mut sandbox = Self {
            root: disk::real(root.path())?,
            control: disk::real(control.path())?,
            tokens: BTreeMap::new(),
            witnesses: BTreeMap::new(),
            locked: Vec::new(),
            mounted: tree.has_mounts(),
            directories: Some(directories),
        };
        for name in tree.canaries() {
            sandbox.tokens.insert(name.to_owned(), random::token()?);
        }
        for (name, node) in &tree.0 {
            if let NodeKind::Witness(witness) = &node.kind {
                let place = sandbox.place(name)?;
                sandbox.witnesses.insert(witness.clone(), place);
            }
        }
        for folder in ["workspace", "home"] {
            disk::make_dirs(&sandbox.root.join(folder))?;
        }
        for folder in ["config", "state"] {
            disk::make_dirs(&sandbox.control.join(folder))?;
        }
        // Hard links and mounts need what they name; modes may lock what is below.
        let late = |node: &Node| match node.kind {
            NodeKind::Bind(_) => 2,
            NodeKind::Hardlink(_) => 1,
            _ => 0,
        };
        for pass in 0..=2 {
            for (name, node) in tree.0.iter().filter(|(_, node)| late(node) == pass) {
                sandbox.put(name, node)?;
            }
        }
        for (name, node) in tree.0.iter().rev() {
            if let Some(mode) = node.mode {
                let place = sandbox.place(name)?;
                disk::set_mode(&place, mode)?;
                sandbox.locked.push(place);
            }
        }
        Ok(sandbox)
    }

    /// Leaves both directories where they are.
    pub(crate) fn keep(&mut self) {
        for directory in self.directories.take().into_iter().flatten() {
            let _kept = directory.keep();
        }
    }

    /// The place of a name in the tree.
    pub(crate) fn place(&self, name: &str) -> Result<PathBuf, Error> {
        let name = name.strip_suffix('/').unwrap_or(name);
        let bytes = bytes_in(name)?.unwrap_or_else(|| name.as_bytes().to_vec());
        let relative = Path::new(OsStr::from_bytes(&bytes));
        let plain = relative
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if plain && !bytes.is_empty() {
            Ok(self.root.join(relative))
        } else {
            Err(Error::fixture(format!("`{name}` is no plain relative place")))
        }
    }

    /// Makes one entry; its parents are made when missing.
    pub(super) fn put(&self, name: &str, node: &Node) -> Result<(), Error> {
        let place = self.place(name)?;
        if let Some(parent) = place.parent() {
            disk::make_dirs(parent)?;
        }
        let mode = match &node.kind {
            NodeKind::Absent => None,
            NodeKind::Dir => {
                disk::make_dirs(&place)?;
                Some(0o755)
            }
            NodeKind::File(text) => {
                disk::write(&place, self.expand(text)?)?;
                Some(0o644)
            }
            NodeKind::Exec(text) => {
                disk::write_program(&place, &self.expand(text)?)?;
                Some(0o755)
            }
            NodeKind::Canary(canary) => {
                disk::write(&place, format!("{}\n", self.token(canary)?))?;
                Some(0o644)
            }
            NodeKind::Size(size) => {
                let size = usize::try_from(*size).unwrap_or(usize::MAX);
                disk::write(&place, "x".repeat(size))?;
                Some(0o644)
            }
            NodeKind::Witness(witness) => {
                disk::write_program(&place, &self.witness_text(witness, node.hold)?)?;
                Some(0o755)
            }
            NodeKind::Link(target) => {
                let target = match bytes_in(target)? {
                    Some(bytes) => bytes,
                    None => self.expand(target)?.into_bytes(),
                };
                disk::make_link(&place, &target)?;
                None
            }
            NodeKind::Hardlink(old) => {
                disk::make_hard_link(&place, &self.place(old)?)?;
                None
            }
            NodeKind::Bind(of) => {
                self.bind(of, &place)?;
                None
            }
            NodeKind::Fifo => {
                disk::make_fifo(&place)?;
                None
            }
        };
        match mode {
            Some(mode) => disk::set_mode(&place, mode),
            None => Ok(()),
        }
    }

    fn witness_text(&self, witness: &str, hold: bool) -> Result<String, Error> {
        let ran = self.ran_file(witness);
        let gate = self.hold_file(witness);
        if hold && !disk::is_there(&gate) {
            disk::make_fifo(&gate)?;
        }
        let wait = if hold {
            format!("read -r _ < '{}'\n", gate.display())
        } else {
            String::new()
        };
        Ok(format!(
            "#!/bin/sh\nprintf 'x\\n' >> '{}'\n{wait}echo ran {witness}\n",
            ran.display()
        ))
    }

    fn ran_file(&self, witness: &str) -> PathBuf {
        self.control.join(format!("{witness}.ran"))
    }

    /// The FIFO that a held witness waits at.
    pub(crate) fn hold_file(&self, witness: &str) -> PathBuf {
        self.control.join(format!("{witness}.hold"))
    }

    /// How often each witness ran so far.
    pub(crate) fn runs(&self) -> BTreeMap<String, usize> {
        self.witnesses
            .keys()
            .map(|name| {
                let bytes = disk::bytes_if_there(&self.ran_file(name));
                (name.clone(), bytes.iter().filter(|byte| **byte == b'\n').count())
            })
            .collect()
    }

    /// Watches every canary that stands in the tree.
    pub(crate) fn watch(&self, tree: &Tree) -> Result<Watch, Error> {
        let mut watch = Watch::new()?;
        for (name, node) in &tree.0 {
            if let NodeKind::Canary(canary) = &node.kind {
                watch.add(&self.place(name)?, canary)?;
            }
        }
        Ok(watch)
    }

    /// The token of a canary.
    pub(crate) fn token(&self, canary: &str) -> Result<&str, Error> {
        self.tokens
            .get(canary)
            .map(String::as_str)
            .ok_or_else(|| Error::fixture(format!("no canary `{canary}` stands in the tree")))
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.root.join("workspace")
    }

    pub(crate) fn audit(&self) -> PathBuf {
        self.control.join("audit.jsonl")
    }

    /// Where seals of the log are kept.
    pub(crate) fn seal(&self) -> PathBuf {
        self.control.join("audit.jsonl.seal")
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.control.join("ap.sock")
    }
}

/// The bytes of a name that is written as `hex:...`.
fn bytes_in(name: &str) -> Result<Option<Vec<u8>>, Error> {
    let digits = name.strip_prefix("hex:");
    digits
        .map(|digits| {
            hash::from_digits(digits).ok_or_else(|| Error::fixture(format!("`{name}` is not hexadecimal")))
        })
        .transpose()
}
