//! Roots and zones: what the user's configuration says about places.

mod file;
mod fold;
mod form;
mod names;
mod open;
mod order;
mod watch;

use std::ffi::CString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, statat};

pub(crate) use fold::{fold, may_fold_alike};
pub(crate) use form::Form;
pub(crate) use names::Lives;

pub(crate) use watch::Since;

use watch::Watch;

use crate::resolver::{Known, Step};
use crate::target::facts_of_place;
use crate::{Ambient, Error, ErrorKind, Facts, Identity, Leaf, Relation};

/// What a zone means for the paths in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ZoneKind {
    /// Neither read nor write: resolving fails with `Protected`.
    DenyRead,
    /// Not written, moved or removed: resolving for such an operation fails with `Protected`.
    DenyWrite,
    /// Reading wants a confirmation ([`crate::Concern::ConfirmRead`]).
    ConfirmRead,
    /// Writing wants a confirmation ([`crate::Concern::ConfirmWrite`]).
    ConfirmWrite,
    /// Only named: a target says that it touches the zone, and a policy decides what that means.
    Named,
}

/// A place with an id and a meaning, before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The id that errors, concerns and touches report.
    pub id: String,
    /// What it means.
    pub kind: ZoneKind,
    /// An absolute path, or one that begins with `~/`; it need not exist. Where links are on it, they belong to the zone's
    /// name: they are not taken away or replaced, and what they are made to lead to has that name as well.
    pub path: PathBuf,
}

/// Collects roots and zones before they are opened.
#[derive(Debug, Clone, Default)]
pub struct ZonesBuilder {
    roots: Vec<PathBuf>,
    files: Vec<PathBuf>,
    zones: Vec<Zone>,
}

impl ZonesBuilder {
    /// Adds a workspace root, an absolute path of an existing directory. When a link on it is made to lead elsewhere,
    /// everything is refused, as when the directory itself is replaced (R6).
    #[must_use]
    pub fn root(mut self, path: impl Into<PathBuf>) -> Self {
        self.roots.push(path.into());
        self
    }
    /// Adds one file that is allowed alone, by an absolute path in a directory that exists; the file itself need not.
    ///
    /// What has exactly this name in exactly this directory counts, as long as it is a plain file: reading and writing
    /// it stands [`Standing::Exactly`](crate::Standing::Exactly) there. Removing, moving and linking it change the
    /// directory, which is not allowed with it. A file with several names counts only when it is the one that was there
    /// when this was opened.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }
    /// Adds a zone.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zones.push(zone);
        self
    }
    /// Opens the roots and the zones that exist (R6).
    ///
    /// # Errors
    /// `Zones` when a root is missing, is not a directory or is not absolute, or when a single file is something else
    /// than a file or has no directory.
    pub fn open(self, ambient: &Ambient) -> Result<Zones, Error> {
        open::open(self, ambient)
    }
}

/// Opened roots and zones: descriptors with identities, session state that no call can change (R6).
#[derive(Debug)]
pub struct Zones {
    pub(crate) roots: Vec<Root>,
    pub(crate) files: Vec<FileRoot>,
    /// What the roots' paths, as they were given, lead through.
    ways: Vec<Identity>,
    pub(crate) zones: Vec<OpenZone>,
    /// Every object on the way to a root or zone.
    watch: Watch,
}

/// A root as it was opened.
#[derive(Debug)]
pub(crate) struct Root {
    /// The canonical place.
    pub(crate) name: CString,
    given: Option<Given>,
    pub(crate) object: Arc<OwnedFd>,
    pub(crate) facts: Facts,
    /// From `/` down to the root itself.
    pub(crate) steps: Vec<Step>,
    /// The same, held.
    pub(crate) way: Vec<Known>,
    /// The file system does not keep identities.
    pub(crate) weak: bool,
}

/// A path as it was given, where links are on it: they may be made to lead elsewhere. For a file, the path of its directory.
#[derive(Debug)]
struct Given {
    path: CString,
    leads_to: Identity,
}

/// A root that is one file.
#[derive(Debug)]
pub(crate) struct FileRoot {
    /// The directory that has it; no root itself.
    dir: Root,
    leaf: Leaf,
    /// What had the name when it was opened.
    first: Option<Identity>,
}

/// A zone as it was opened.
#[derive(Debug)]
pub(crate) struct OpenZone {
    pub(crate) id: String,
    pub(crate) kind: ZoneKind,
    pub(crate) forms: Vec<Form>,
}

impl OpenZone {
    /// How the target stands to the zone, whichever way leads there.
    pub(crate) fn relate(&self, target: &[Step]) -> Option<Relation> {
        let mut contains = None;
        for form in &self.forms {
            match form.relate(target) {
                Some(Relation::Within) => return Some(Relation::Within),
                other => contains = contains.or(other),
            }
        }
        contains
    }
}

impl Root {
    /// The root is still what its name leads to (R6).
    pub(crate) fn check(&self) -> Result<(), Error> {
        let now = statat(CWD, &self.name, AtFlags::SYMLINK_NOFOLLOW);
        let now = now.map_err(|errno| Error::os(errno).turned(ErrorKind::Changed))?;
        let identity = Identity {
            device: now.st_dev,
            inode: now.st_ino,
        };
        if identity == self.facts.identity && self.is_led_to() {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Changed))
        }
    }

    /// As [`check`](Self::check), and what is mounted below its name is mounted below what is held as well.
    pub(crate) fn is_all_there(&self) -> bool {
        let is = |now: Facts| now.identity == self.facts.identity && now.mount == self.facts.mount;
        facts_of_place(&self.name).is_ok_and(is) && self.is_led_to()
    }

    /// The links of the path that it was given by still lead to it.
    pub(crate) fn is_led_to(&self) -> bool {
        let leads_there = |given: &Given| {
            let now = statat(CWD, &given.path, AtFlags::empty());
            now.is_ok_and(|now| (now.st_dev, now.st_ino) == (given.leads_to.device, given.leads_to.inode))
        };
        self.given.as_ref().is_none_or(leads_there)
    }
}

impl Zones {
    /// Every root is still what its name leads to (R6).
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.roots.iter().try_for_each(Root::check)?;
        self.files.iter().try_for_each(FileRoot::check)
    }

    /// Every directory that is a root or has one that is a file.
    pub(crate) fn known(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter().chain(self.files.iter().map(FileRoot::dir))
    }

    /// The directories of the single files.
    pub(crate) fn file_dirs(&self) -> impl Iterator<Item = Identity> {
        self.files.iter().map(|file| file.dir().facts.identity)
    }

    /// A root's path, as it was given, leads through the object.
    pub(crate) fn leads_through(&self, object: Identity) -> bool {
        self.ways.contains(&object)
    }

    /// Starts an empty set.
    #[must_use]
    pub fn builder() -> ZonesBuilder {
        ZonesBuilder::default()
    }
}
