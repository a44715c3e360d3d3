//! Other names: an object that has several may have one of them in a zone, whatever name it was reached by (R4).
//!
//! No system tells the names of an object, so they are looked for where they would matter: everything below the
//! zone's place is listed. Nothing is remembered from one question to the next, so nothing can be out of date. The work
//! is bounded by a number of entries, for each zone alone: another zone must not use up what this one needs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::OpenZone;
use super::fold::fold;
use super::form::{Form, FormStep};
use crate::resolver::open_name_unchecked;
use crate::target::{each_name, facts_of};
use crate::{FileKind, Identity};

/// Entries looked at for one zone.
const MOST_ENTRIES: usize = 16_384;
/// Directories below each other: each is held while what is below it is looked at.
const DEEPEST: usize = 64;

const LIST: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Whether an object has a name in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lives {
    /// It has one.
    Here,
    /// It has none.
    Elsewhere,
    /// Not everything could be looked at.
    Untold,
}

impl OpenZone {
    /// Whether the object has a name at the zone's place or below it: at the objects that were there when it was
    /// opened, and at what their names lead to now.
    pub(crate) fn names(&self, object: Identity) -> Lives {
        self.names_within(object, MOST_ENTRIES)
    }

    fn names_within(&self, object: Identity, entries: usize) -> Lives {
        let mut look = Look {
            object,
            left: entries,
            seen: BTreeSet::new(),
            untold: false,
        };
        for form in &self.forms {
            match look.at(form) {
                Ok(true) => return Lives::Here,
                Ok(false) => {}
                Err(OutOfWork) => return Lives::Untold,
            }
        }
        if look.untold {
            Lives::Untold
        } else {
            Lives::Elsewhere
        }
    }
}

/// The bound on work was reached.
struct OutOfWork;

struct Look {
    object: Identity,
    left: usize,
    /// Directories that were listed already.
    seen: BTreeSet<(u64, u64)>,
    /// Something was in the way.
    untold: bool,
}

/// A directory, or a name in one, that is still to be looked at.
struct Next {
    parent: Arc<OwnedFd>,
    name: Vec<u8>,
    depth: usize,
}

impl Look {
    /// As [`Form::relate`] has it: below every directory of the way that was there, by the names of the rest.
    fn at(&mut self, form: &Form) -> Result<bool, OutOfWork> {
        for (at, held) in form.held().iter().enumerate() {
            let rest = form.steps().get(at + 1..).unwrap_or_default();
            for start in self.along(held, rest)? {
                if self.below(start)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What the names lead to from here.
    fn along(&mut self, from: &Arc<OwnedFd>, rest: &[FormStep]) -> Result<Vec<Arc<OwnedFd>>, OutOfWork> {
        let mut here = vec![Arc::clone(from)];
        for step in rest {
            let mut there = Vec::new();
            for dir in &here {
                if step.was_there() {
                    there.extend(self.open(dir, step.name()));
                    continue;
                }
                // What was not there when the zone was opened is known by its folded name.
                for (name, _) in self.entries(dir)? {
                    if fold(&name) == step.folded() {
                        there.extend(self.open(dir, &name));
                    }
                }
            }
            here = there;
        }
        Ok(here)
    }

    /// The object, or one below it, is the one that is looked for.
    fn below(&mut self, start: Arc<OwnedFd>) -> Result<bool, OutOfWork> {
        if self.is_it(&start) {
            return Ok(true);
        }
        let mut left = Vec::new();
        if self.search(&start, 0, &mut left)? {
            return Ok(true);
        }
        while let Some(Next { parent, name, depth }) = left.pop() {
            let Some(dir) = self.open(&parent, &name) else {
                continue;
            };
            // Its parent need not stay open for it.
            drop(parent);
            if self.search(&dir, depth, &mut left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// One directory: compares what is in it, and notes the directories.
    fn search(&mut self, dir: &Arc<OwnedFd>, depth: usize, left: &mut Vec<Next>) -> Result<bool, OutOfWork> {
        let Ok(facts) = facts_of(dir.as_ref()) else {
            self.untold = true;
            return Ok(false);
        };
        let identity = (facts.identity.device, facts.identity.inode);
        if facts.kind != FileKind::Dir || !self.seen.insert(identity) {
            return Ok(false);
        }
        if depth > DEEPEST {
            self.untold = true;
            return Ok(false);
        }
        for (name, kind) in self.entries(dir)? {
            if kind == FileType::Directory {
                left.push(Next {
                    parent: Arc::clone(dir),
                    name,
                    depth: depth + 1,
                });
                continue;
            }
            match statat(
                dir.as_ref(),
                &name,
                AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT,
            ) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => left.push(Next {
                    parent: Arc::clone(dir),
                    name,
                    depth: depth + 1,
                }),
                Ok(stat) => {
                    if (stat.st_dev, stat.st_ino) == (self.object.device, self.object.inode) {
                        return Ok(true);
                    }
                }
                // RACE: it is gone since it was listed.
                Err(Errno::NOENT) => {}
                Err(_) => self.untold = true,
            }
        }
        Ok(false)
    }

    fn is_it(&mut self, object: &Arc<OwnedFd>) -> bool {
        match facts_of(object.as_ref()) {
            Ok(facts) => facts.identity == self.object,
            Err(_) => {
                self.untold = true;
                false
            }
        }
    }

    /// A link is not followed: what it leads to is not in the zone.
    fn open(&mut self, dir: &Arc<OwnedFd>, name: &[u8]) -> Option<Arc<OwnedFd>> {
        match open_name_unchecked(dir.as_ref(), name) {
            Ok(object) => Some(Arc::new(object)),
            Err(Errno::NOENT | Errno::NOTDIR) => None,
            Err(_) => {
                self.untold = true;
                None
            }
        }
    }

    fn entries(&mut self, dir: impl AsFd) -> Result<Vec<(Vec<u8>, FileType)>, OutOfWork> {
        let dir = match openat(dir, c".", LIST, Mode::empty()) {
            Ok(dir) => dir,
            Err(Errno::NOTDIR | Errno::NOENT) => return Ok(Vec::new()),
            Err(_) => {
                self.untold = true;
                return Ok(Vec::new());
            }
        };
        let mut entries = Vec::new();
        let listed = each_name(dir, |name, kind| {
            let Some(left) = self.left.checked_sub(1) else {
                return ControlFlow::Break(OutOfWork);
            };
            self.left = left;
            entries.push((name.to_vec(), kind));
            ControlFlow::Continue(())
        });
        match listed {
            Ok(ControlFlow::Break(out_of_work)) => return Err(out_of_work),
            Ok(ControlFlow::Continue(())) => {}
            Err(_) => self.untold = true,
        }
        Ok(entries)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;
    use crate::{Ambient, Zone, ZoneKind, Zones};

    #[test]
    fn what_was_not_looked_at_is_not_told_and_the_bound_counts_entries() {
        let dir = tempfile::tempdir().unwrap();
        let top = std::fs::canonicalize(dir.path()).unwrap();
        for file in ["zone/a/x", "zone/b/y", "zone/b/c/z", "other"] {
            std::fs::create_dir_all(top.join(file).parent().unwrap()).unwrap();
            std::fs::write(top.join(file), "").unwrap();
        }
        let zone = Zone {
            id: "z".to_owned(),
            kind: ZoneKind::DenyRead,
            path: top.join("zone"),
        };
        let zones = Zones::builder().zone(zone).open(&Ambient::empty()).unwrap();
        let identity = |name: &str| {
            let meta = std::fs::metadata(top.join(name)).unwrap();
            Identity {
                device: meta.dev(),
                inode: meta.ino(),
            }
        };
        let zone = &zones.zones[0];
        assert_eq!(zone.names(identity("zone/b/c/z")), Lives::Here);
        assert_eq!(zone.names(identity("other")), Lives::Elsewhere);
        // a, b, x, y, c, z
        assert_eq!(zone.names_within(identity("other"), 6), Lives::Elsewhere);
        for entries in 0..6 {
            assert_eq!(zone.names_within(identity("other"), entries), Lives::Untold);
        }
    }
}
