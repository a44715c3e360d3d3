use std::path::PathBuf;

use crate::{Ambient, Error};

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
    /// An absolute path, or one that begins with `~/`; it need not exist.
    pub path: PathBuf,
}

/// Collects roots and zones before they are opened.
#[derive(Debug, Clone, Default)]
pub struct ZonesBuilder {
    roots: Vec<PathBuf>,
    zones: Vec<Zone>,
}

impl ZonesBuilder {
    /// Adds a workspace root, an absolute path of an existing directory.
    #[must_use]
    pub fn root(mut self, path: impl Into<PathBuf>) -> Self {
        self.roots.push(path.into());
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
    /// `Zones` when a root is missing, is not a directory or is not absolute.
    pub fn open(self, ambient: &Ambient) -> Result<Zones, Error> {
        let _ = ambient;
        todo!()
    }
}

/// Opened roots and zones: descriptors with identities, session state that no call can change (R6).
#[derive(Debug)]
pub struct Zones {}

impl Zones {
    /// Starts an empty set.
    #[must_use]
    pub fn builder() -> ZonesBuilder {
        ZonesBuilder::default()
    }
}
