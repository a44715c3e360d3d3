//! Decisions that were saved, one file for all projects of a user.

mod format;
mod lock;
mod saved;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use format::Map;
use lock::Held;
pub use saved::{Nearest, Saved};

use crate::disk::{self, Own};
use crate::{Error, ErrorKind, Fingerprint};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// Remembered for what could not be looked at as a whole: no content is ever equal to it.
const UNKNOWN: &str = "unknown";

/// The user's saved decisions: a JSON object of canonical directories and `true`, `false` or `null`, which is Pi's
/// `trust.json`. Beside it, where that is wanted, a second file remembers what was trusted.
///
/// Nothing is held open: every call reads what is there now. A store that cannot be read is never taken for an empty
/// one, and never overwritten.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    contents: Option<PathBuf>,
}

/// What is to be saved for a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "saved or not, yes or no")]
pub enum Save {
    /// Trusted.
    Yes,
    /// Not trusted.
    No,
    /// Nothing: a saved decision is taken away.
    Forget,
}

impl Store {
    /// The store in this file, which need not exist yet. It belongs into the user's own directory, never into a project.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            contents: None,
        }
    }

    /// Remembers in this file what the contents were when a project was trusted, so that a change is noticed. Without
    /// it a saved yes holds whatever the project's files have become.
    #[must_use]
    pub fn with_contents(mut self, path: impl Into<PathBuf>) -> Self {
        self.contents = Some(path.into());
        self
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the decisions. A file that does not exist holds none.
    ///
    /// # Errors
    /// Not a regular file of this user's that nobody else can write; not a JSON object of directories and true, false or
    /// null; too large; unreadable. The file is left as it is.
    pub fn load(&self) -> Result<Saved, Error> {
        Ok(Saved::new(read(&self.path)?))
    }

    /// Saves decisions for canonical directories, all of them or none, and loses none that others save at the same
    /// time, Pi included.
    ///
    /// # Errors
    /// As [`Store::load`]; a directory that is not absolute or not UTF-8, which the format cannot hold; the lock is not
    /// to be had; an input or output error. Nothing is saved then.
    pub fn save(&self, changes: &[(&Path, Save)]) -> Result<(), Error> {
        let keys = changes
            .iter()
            .map(|(directory, save)| Ok((key(&self.path, directory)?, *save)))
            .collect::<Result<Vec<_>, Error>>()?;
        change(&self.path, |decisions: &mut Map<bool>| {
            for (key, save) in &keys {
                match save {
                    Save::Yes => decisions.insert(key.clone(), Some(true)),
                    Save::No => decisions.insert(key.clone(), Some(false)),
                    Save::Forget => decisions.remove(key),
                };
            }
        })
    }

    /// Takes away what was saved and remembered for a directory.
    ///
    /// # Errors
    /// As [`Store::save`].
    pub fn forget(&self, directory: &Path) -> Result<(), Error> {
        self.save(&[(directory, Save::Forget)])?;
        self.change_contents(directory, BTreeMap::clear)
    }

    /// What each profile held when this directory was trusted, as far as that was remembered.
    pub(crate) fn contents(&self, directory: &Path) -> Result<BTreeMap<String, String>, Error> {
        let Some(path) = &self.contents else {
            return Ok(BTreeMap::new());
        };
        let known: Map<BTreeMap<String, String>> = read(path)?;
        Ok(known
            .get(&key(path, directory)?)
            .cloned()
            .flatten()
            .unwrap_or_default())
    }

    /// Whether what this directory held was remembered under another name of it, which a mount can give. Names are part of
    /// what is remembered, so that it cannot be compared.
    pub(crate) fn is_known_elsewhere(&self, directory: &Path) -> Result<bool, Error> {
        let (Some(path), Some(identity)) = (&self.contents, disk::identity(directory)) else {
            return Ok(false);
        };
        let known: Map<BTreeMap<String, String>> = read(path)?;
        Ok(known.iter().any(|(name, held)| {
            let other = Path::new(name);
            held.is_some() && other != directory && disk::identity(other) == Some(identity)
        }))
    }

    /// Remembers what profiles hold now.
    pub(crate) fn remember(
        &self,
        directory: &Path,
        contents: &[(&str, Option<Fingerprint>)],
    ) -> Result<(), Error> {
        self.change_contents(directory, |known| {
            for (profile, content) in contents {
                let content = content.as_ref().map_or(UNKNOWN, Fingerprint::as_str);
                known.insert((*profile).to_owned(), content.to_owned());
            }
        })
    }

    fn change_contents(
        &self,
        directory: &Path,
        edit: impl FnOnce(&mut BTreeMap<String, String>),
    ) -> Result<(), Error> {
        let Some(path) = &self.contents else { return Ok(()) };
        let key = key(path, directory)?;
        change(path, |all: &mut Map<BTreeMap<String, String>>| {
            let mut known = all.remove(&key).flatten().unwrap_or_default();
            edit(&mut known);
            if !known.is_empty() {
                all.insert(key, Some(known));
            }
        })
    }

    /// Whether contents are remembered at all.
    pub(crate) fn remembers(&self) -> bool {
        self.contents.is_some()
    }

    /// The store must not lie in what it decides about.
    pub(crate) fn is_outside(&self, project: &Path) -> bool {
        [Some(&self.path), self.contents.as_ref()]
            .into_iter()
            .flatten()
            .all(|path| {
                let existing = path
                    .ancestors()
                    .skip(1)
                    .find_map(|above| disk::canonical(above).ok());
                existing.is_none_or(|above| !above.starts_with(project))
            })
    }
}

fn key(store: &Path, directory: &Path) -> Result<String, Error> {
    let refused = |what| Error::new(ErrorKind::Content, store, what);
    if !directory.is_absolute() {
        return Err(refused("cannot hold a directory that is not absolute"));
    }
    match directory.to_str() {
        Some(key) => Ok(key.to_owned()),
        None => Err(refused("cannot hold a directory whose name is not UTF-8")),
    }
}

fn read<T: format::Kept>(path: &Path) -> Result<Map<T>, Error> {
    match disk::own_file(path, LARGEST) {
        Ok(Own::Missing) => Ok(Map::new()),
        Ok(Own::Unusable(why)) => Err(Error::new(ErrorKind::Place, path, why)),
        Ok(Own::Bytes(bytes)) => {
            format::parse(&bytes).map_err(|what| Error::new(ErrorKind::Content, path, what))
        }
        Err(error) => Err(Error::io(path, "cannot be read", error)),
    }
}

fn change<T: format::Kept>(path: &Path, edit: impl FnOnce(&mut Map<T>)) -> Result<(), Error> {
    let directory = path
        .parent()
        .ok_or_else(|| Error::new(ErrorKind::Place, path, "has no directory"))?;
    disk::make_directory(directory).map_err(|error| Error::io(path, "has no usable directory", error))?;
    let _held = Held::take(path)?;
    let mut map = read(path)?;
    edit(&mut map);
    let text = format::write(&map);
    if u64::try_from(text.len()).is_ok_and(|length| length > LARGEST) {
        return Err(Error::new(ErrorKind::Content, path, "would become too large"));
    }
    disk::replace(path, text.as_bytes()).map_err(|error| Error::io(path, "cannot be written", error))
}
